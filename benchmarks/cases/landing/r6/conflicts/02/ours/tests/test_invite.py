from directory import Directory
from invite import invite


def test_invite_known():
    d = Directory()
    d.add("Ann")
    assert invite(d, "Ann", "chess")["groups"] == ["chess"]


def test_invite_new():
    d = Directory()
    invite(d, "Bob", "chess")
    assert "Bob" in d
