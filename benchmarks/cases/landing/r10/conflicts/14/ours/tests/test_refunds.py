import pytest

from ledger import Ledger
from refunds import refund, refund_of
from shopbooks import sell


@pytest.mark.parametrize("days, back", [(0, 501), (14, 501), (15, 250)])
def test_refund_of(days, back):
    assert refund_of(501, days) == back


def test_refund_settles_the_account():
    books = Ledger()
    sell(books, "ann", 500, 1)
    assert refund(books, "ann", 500, 1) == 500
    assert books.balance("ann") == 0
    assert len(books.entries) == 2


def test_nothing_to_refund():
    books = Ledger()
    assert refund(books, "ann", 0, 1) == 0
    assert books.entries == []
