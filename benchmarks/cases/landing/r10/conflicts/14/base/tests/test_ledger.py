import pytest

from ledger import Ledger
from shopbooks import sell


def test_balance():
    books = Ledger()
    assert sell(books, "ann", 500, 1) == 1
    assert sell(books, "bob", 100, 2) == 2
    assert books.balance("ann") == 500
    assert books.entries[0].memo == "sale 1"


def test_zero():
    with pytest.raises(ValueError):
        Ledger().post("ann", 0)
