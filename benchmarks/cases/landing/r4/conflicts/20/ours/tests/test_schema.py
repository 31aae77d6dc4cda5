import notes


def test_columns():
    columns = [row[1] for row in notes.connect().execute("PRAGMA table_info(note)")]
    assert columns[-2:] == ["created_at", "changed_at"]
