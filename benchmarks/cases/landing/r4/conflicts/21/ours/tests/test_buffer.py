from journal import Journal


def test_buffered(tmp_path):
    path = tmp_path / "j.log"
    journal = Journal(path)
    journal.write("x")
    assert not path.exists()
    journal.close()
    assert path.exists()
