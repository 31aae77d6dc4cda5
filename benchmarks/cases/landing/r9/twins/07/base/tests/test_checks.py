from watch.checks import DiskCheck, NameCheck


def test_disk():
    assert DiskCheck().report("db1") == "disk on db1: ok"


def test_name():
    assert NameCheck().report("db 1") == "name on db 1: FAILED"
