from trail.idle import IdleReport


def test_idle_users(tmp_path):
    path = tmp_path / "audit.log"
    path.write_text("100\tkim\tlogin\n250\tkim\tchange title\n90\tjo\tlogin\nrubbish\tjo\t\n")
    report = IdleReport(str(path), ["kim", "jo", "pat"])
    assert report.last_seen() == {"kim": 250, "jo": 90, "pat": 0}
    assert report.idle_since(100) == ["jo", "pat"]
