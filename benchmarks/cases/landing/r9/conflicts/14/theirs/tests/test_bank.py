import io

from ledger.bank import read, take_over
from ledger.book import CashBook

FILE = """2024-03-01;membership Ann;1.050,00
2024-03-31;account fee;0,00
"""


def test_read():
    assert [entry.cents for entry in read(io.StringIO(FILE))] == [105000, 0]


def test_take_over_twice():
    book = CashBook()
    assert take_over(book, io.StringIO(FILE)) == 2
    assert take_over(book, io.StringIO(FILE)) == 0
    assert [entry.text for entry in book.page(3)] == ["membership Ann", "account fee"]
