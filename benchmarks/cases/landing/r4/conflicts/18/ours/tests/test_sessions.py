import datetime as dt
from sessions import Session


def test_line():
    assert Session("ann", dt.datetime(2024, 1, 2)).line() == "ann, last seen 2024-01-02"


def test_touch():
    session = Session("ann")
    before = session.seen
    session.touch()
    assert session.seen >= before
