from logtools.entries import parse, read_entries
from logtools.stats import longest_message


def test_parse():
    assert parse("warn  disk is full\n") == ("WARN", "disk is full")


def test_read(tmp_path):
    log = tmp_path / "a.log"
    log.write_text("info up\n\nerror down\n")
    assert [e.level for e in read_entries(log)] == ["INFO", "ERROR"]
    assert longest_message(log) == 4
