import pytest
from desk import Desk
from feeds import SudFeed


@pytest.fixture
def quote():
    return SudFeed().quote()


def test_mark(quote):
    assert Desk().mark(price=quote["px"]) == {"discount": True}
