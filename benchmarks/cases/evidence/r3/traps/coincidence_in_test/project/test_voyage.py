import pytest

from galley import Galley
from roster import Roster


@pytest.fixture
def roster():
    return Roster(["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"])


@pytest.fixture
def week():
    return 7


def test_roster(roster):
    assert roster.crew()["size"] == 7


def test_stock(week):
    assert Galley().stock(days=week)["meals"] == 21
