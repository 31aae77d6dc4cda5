import notes

db = notes.connect()
notes.add(db, "a", "2024-01-01")
notes.add(db, "b", "2024-01-02")
assert notes.latest(db) == ["b", "a"]
