from audit import Audit
from show import show


def test_newest_on_top():
    a = Audit()
    a.record(1, "ann", "login")
    a.record(2, "bob", "login")
    assert show(a) == ["2 bob login", "1 ann login"]
