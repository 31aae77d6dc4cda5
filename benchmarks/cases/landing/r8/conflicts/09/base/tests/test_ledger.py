import pytest

from bank.ledger import Ledger
from bank.statement import Statement


def test_statement():
    ledger = Ledger()
    ledger.book(10000, "salary")
    ledger.book(-2550, "food")
    assert Statement(ledger).lines() == ["salary", "food", "balance 74.50"]


def test_limit():
    ledger = Ledger(limit=100)
    ledger.book(-100, "a")
    with pytest.raises(ValueError):
        ledger.book(-1, "b")
