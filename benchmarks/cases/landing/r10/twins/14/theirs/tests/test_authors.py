from ledger import Ledger
from shopbooks import sell


def test_authors():
    books = Ledger()
    sell(books, "ann", 500, 1)
    sell(books, "ann", 700, 2, clerk="eve")
    assert books.authors() == ["eve", "till"]
    assert books.entries[1].memo == "sale 2"


def test_system_unless_said_otherwise():
    books = Ledger()
    books.post("ann", 5)
    assert books.authors() == ["system"]
