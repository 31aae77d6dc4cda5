from note import Note
from notebook import Notebook


def test_of_color():
    book = Notebook()
    book.add(Note("Milk", color="red"))
    book.add(Note("Car"))
    assert [n.title for n in book.of_color("red")] == ["Milk"]
