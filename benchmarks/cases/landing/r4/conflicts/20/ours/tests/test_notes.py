import notes


def test_notes():
    db = notes.connect()
    notes.add(db, "Milk", "2024-01-02")
    notes.add(db, "Call", "2024-01-03", "about milk")
    assert notes.on_day(db, "2024-01-03") == ["Call"]
    assert notes.search(db, "milk") == ["Call", "Milk"]
