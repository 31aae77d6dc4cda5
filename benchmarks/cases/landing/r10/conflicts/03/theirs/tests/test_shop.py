import pytest

from events import Bus
from picklist import PickList
from shop import Basket, Shop


def test_pick_list():
    bus = Bus()
    picks = PickList(bus)
    basket = Basket("ann")
    basket.add("mug", 2)
    basket.add("tea")
    Shop(bus).place(basket)
    assert picks.lines == ["#1 2 x mug", "#1 1 x tea"]


def test_empty_basket():
    with pytest.raises(ValueError):
        Shop(Bus()).place(Basket("ann"))
