import pytest

from cookbook.routes import publish, remove, show
from cookbook.service import Book, Forbidden, User

ED, VI = User("ed", is_editor=True), User("vi")


@pytest.fixture
def book():
    b = Book()
    b.add("soup", ["boil"])
    return b


def test_visitors_only_look(book):
    assert show(book, VI, "soup")[0] == 200
    for view in (publish, remove):
        with pytest.raises(Forbidden):
            view(book, VI, "soup")


def test_editor_removes(book):
    assert remove(book, ED, "soup") == (204, None)
    assert not book.recipes
