from journal import Journal


def test_journal(tmp_path):
    path = tmp_path / "j.log"
    with Journal(path, clock=lambda: 7) as journal:
        journal.write("one")
        journal.write("two")
    assert path.read_text() == "7 one\n7 two\n"
