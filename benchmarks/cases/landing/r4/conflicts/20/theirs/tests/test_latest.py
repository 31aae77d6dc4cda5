import notes


def test_latest():
    db = notes.connect()
    for day in ("01", "02", "03"):
        notes.add(db, "Note " + day, "2024-01-" + day)
    assert notes.latest(db, 2) == ["Note 03", "Note 02"]
