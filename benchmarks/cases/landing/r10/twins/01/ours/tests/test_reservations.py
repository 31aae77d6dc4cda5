import pytest

from replenish import to_order
from warehouse import Warehouse


def stocked():
    w = Warehouse("north")
    w.receive("bolt", 10)
    return w


def test_reserved_units_are_not_promisable():
    w = stocked()
    w.reserve("bolt", 7)
    assert w.on_hand("bolt") == 10
    assert w.available("bolt") == 10
    assert w.promisable("bolt") == 3


def test_cannot_reserve_twice_the_same_unit():
    w = stocked()
    w.reserve("bolt", 7)
    with pytest.raises(ValueError):
        w.reserve("bolt", 4)


def test_replenish_looks_at_what_can_be_promised():
    w = stocked()
    w.reserve("bolt", 7)
    assert to_order(w, {"bolt": 5}) == {"bolt": 2}
