from decimal import Decimal

import pytest

from donate.form import parse_amount, submit
from donate.ledger import Ledger


def test_comma_is_fine():
    assert parse_amount(" 12,50 ") == Decimal("12.50")


@pytest.mark.parametrize("text", ["", "ten", "20000"])
def test_form_refuses(text):
    with pytest.raises(ValueError):
        parse_amount(text)


def test_form_refuses_negative():
    with pytest.raises(ValueError):
        parse_amount("-3")


def test_submit_books():
    ledger = Ledger()
    submit(ledger, "Ada", "5")
    assert ledger.balance() == 5
