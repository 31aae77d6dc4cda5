from watch.checks import DiskCheck, NameCheck


def test_disk():
    assert DiskCheck().report("db1") == "disk on db1: ok"


def test_name():
    check = NameCheck()
    states = [check.report("db 1").rpartition(" ")[2] for _ in range(3)]
    assert states == ["shaky", "shaky", "FAILED"]
