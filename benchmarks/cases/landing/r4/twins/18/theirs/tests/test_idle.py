import datetime as dt
from idle import idle
from sessions import Session


def test_idle():
    now = dt.datetime(2024, 1, 2, 12, 0)
    old = Session("ann", dt.datetime(2024, 1, 2, 11, 15))
    new = Session("bob", dt.datetime(2024, 1, 2, 11, 45))
    assert idle([old, new], now) == ["ann"]
