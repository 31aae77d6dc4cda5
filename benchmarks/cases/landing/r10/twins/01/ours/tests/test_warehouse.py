import pytest

from replenish import to_order
from warehouse import Warehouse


def test_receive_and_ship():
    w = Warehouse("north")
    w.receive("bolt", 10)
    w.ship("bolt", 4)
    assert w.stock["bolt"] == 6


def test_cannot_ship_more_than_there_is():
    w = Warehouse("north")
    w.receive("bolt", 2)
    with pytest.raises(ValueError):
        w.ship("bolt", 3)


def test_to_order():
    w = Warehouse("north")
    w.receive("bolt", 2)
    assert to_order(w, {"bolt": 5, "nut": 1}) == {"bolt": 3, "nut": 1}
