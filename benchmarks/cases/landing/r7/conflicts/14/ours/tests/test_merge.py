from cookbook.routes import merge
from cookbook.service import Book, User


def test_merge_keeps_steps():
    book = Book()
    book.add("soup", [])
    book.add("soup-2", ["boil"])
    status, kept = merge(book, User("ed", is_editor=True), "soup", "soup-2")
    assert status == 200
    assert kept["steps"] == ["boil"]
    assert list(book.recipes) == ["soup"]
