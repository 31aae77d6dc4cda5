from note import Note


def test_duplicate():
    n = Note("Milk", "buy some")
    c = n.duplicate()
    c.body = "none left"
    assert c.title == "Milk (copy)"
    assert n.body == "buy some"
