import audit
from login import log_in


def test_login():
    assert "12: in" in log_in("ann")


def test_greet():
    assert audit.greet({"user": "ann"}) == "Hello ann"
