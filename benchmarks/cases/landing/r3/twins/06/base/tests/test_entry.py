from decimal import Decimal

import pytest

from ledger.amounts import parse_amount
from ledger.entry import ask


def test_ask_again():
    typed = ["abc", "1'000,50"]
    said = []
    assert ask(lambda _: typed.pop(0), said.append) == Decimal("1000.50")
    assert said == ["not an amount"]


def test_strict():
    with pytest.raises(ValueError):
        parse_amount("abc", strict=True)
