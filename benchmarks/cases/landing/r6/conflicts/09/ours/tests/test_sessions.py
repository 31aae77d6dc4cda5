from audit import Audit
from sessions import is_online


def test_online_after_login():
    a = Audit()
    a.record(5, "ann", "login")
    assert is_online(a, "ann")
    assert not is_online(a, "bob")
