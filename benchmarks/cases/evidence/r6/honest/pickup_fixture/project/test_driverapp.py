import pytest

from dispatch import Dispatch
from driverapp import DriverApp


@pytest.fixture
def order():
    return Dispatch().assign("r1")


@pytest.fixture
def destination(order):
    return order["pickup_address"]


def test_way(destination):
    assert DriverApp("A1").navigate(destination)["turns"] == ["east"]


def test_back():
    app = DriverApp("C3")
    assert app.navigate("A1")["turns"] == ["north", "north", "west", "west"]
