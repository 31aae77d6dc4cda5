from trail.idle import IdleReport
from trail.journal import Journal


def test_idle_users(tmp_path):
    path = str(tmp_path / "audit.log")
    journal = Journal(path)
    for stamp, user in (100, "kim"), (250, "kim"), (90, "jo"):
        journal.append(stamp, user, "login")
    report = IdleReport(path, ["kim", "jo", "pat"])
    assert report.last_seen() == {"kim": 250, "jo": 90, "pat": 0}
    assert report.idle_since(100) == ["jo", "pat"]
