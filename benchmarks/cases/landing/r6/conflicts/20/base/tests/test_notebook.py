from note import Note
from notebook import Notebook


def test_search():
    book = Notebook()
    book.add(Note("Milk", "buy some"))
    book.add(Note("Car"))
    assert [n.title for n in book.search("MILK")] == ["Milk"]
