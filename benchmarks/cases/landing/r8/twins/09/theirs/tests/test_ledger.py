import pytest

from bank.ledger import Ledger
from bank.statement import Statement


def test_statement():
    ledger = Ledger()
    ledger.book(10000, "salary")
    ledger.book(-2550, "food")
    assert Statement(ledger).lines() == ["salary", "food", "balance 74.50"]


def test_cancelled_entry_does_not_count():
    ledger = Ledger()
    ledger.book(10000, "salary")
    wrong = ledger.book(-2550, "food")
    ledger.cancel(wrong)
    assert Statement(ledger).lines() == ["salary", "food", "undo food", "balance 100.00"]


def test_limit():
    ledger = Ledger(limit=100)
    ledger.book(-100, "a")
    with pytest.raises(ValueError):
        ledger.book(-1, "b")
