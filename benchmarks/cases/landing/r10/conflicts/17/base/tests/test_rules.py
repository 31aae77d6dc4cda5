from rules import RuleBook
from screen import table


def test_table():
    book = RuleBook()
    book.add("Invoice", "Billing")
    book.add("party", "Private")
    assert table(book) == ["invoice     Billing", "party       Private"]
    book.remove("invoice")
    assert table(book) == ["party       Private"]
