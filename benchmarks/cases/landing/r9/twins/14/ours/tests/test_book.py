import datetime as dt

import pytest

from ledger.book import CashBook, Entry
from ledger.statement import statement


def test_balance():
    book = CashBook()
    book.post(Entry(dt.date(2024, 1, 5), "membership", 5000))
    book.post(Entry(dt.date(2024, 2, 1), "stamps", -850))
    assert book.balance() == 4150
    assert [e.text for e in book.page(2)] == ["stamps"]
    assert statement(book).endswith("41.50")


def test_balance_follows_every_entry():
    book = CashBook()
    seen = []
    for cents in (100, -30, 5):
        book.post(Entry(dt.date(2024, 1, 1), "x", cents))
        seen.append(book.balance())
    assert seen == [100, 70, 75]


def test_nothing():
    with pytest.raises(ValueError):
        CashBook().post(Entry(dt.date(2024, 1, 5), "air", 0))
