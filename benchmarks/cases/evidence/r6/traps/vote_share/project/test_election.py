import pytest

from election import BALLOTS, Seats


@pytest.fixture
def valid():
    return sum(n for name, n in BALLOTS["north"].items() if name)


def test_hurdle(valid):
    assert Seats().threshold("north", valid)["needed"] == 366


def test_allocation():
    assert Seats().highest_average({"a": 60, "b": 30}, 3) == {"a": 2, "b": 1}
