import os

from metrics.spool import Spool


def test_gather(tmp_path):
    assert Spool(tmp_path).gather() == {"files": 0, "oldest": 0}
    (tmp_path / "a").write_text("")
    os.utime(tmp_path / "a", (100, 100))
    assert Spool(tmp_path, clock=lambda: 160).gather() == {"files": 1, "oldest": 60}
