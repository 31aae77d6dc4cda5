from note import Note
from notebook import Notebook

book = Notebook()
n = book.add(Note("Milk", "buy", color="red"))
book.add(n.duplicate())
assert [x.title for x in book.of_color("red")] == ["Milk", "Milk (copy)"]
assert book.notes[1].body == "buy"
