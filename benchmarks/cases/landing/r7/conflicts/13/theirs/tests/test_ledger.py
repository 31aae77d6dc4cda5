from decimal import Decimal

import pytest

from donate.ledger import Ledger


def test_balance():
    ledger = Ledger()
    ledger.record("Ada", Decimal(5))
    ledger.record("Ben", Decimal(7))
    assert ledger.balance() == 12


def test_ledger_refuses_too_much():
    with pytest.raises(ValueError):
        Ledger().record("Ada", Decimal(10001))
