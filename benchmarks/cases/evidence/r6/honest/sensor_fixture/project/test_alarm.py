import pytest

from alarm import Alarm
from station import Station


@pytest.fixture
def celsius():
    return Station().sample()["temp_c"]


def test_frost(celsius):
    assert Alarm().watch(celsius=celsius)["state"] == "frost"


def test_heat():
    assert Alarm().watch(40.0)["state"] == "heat"
