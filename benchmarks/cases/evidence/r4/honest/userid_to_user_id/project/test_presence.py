import pytest

from presence import Presence
from session import Session


@pytest.fixture
def session():
    return Session().open("a@b.c")


def test_key(session):
    assert Presence().mark(userid=session["user_id"]) == {"key": "presence:5"}
