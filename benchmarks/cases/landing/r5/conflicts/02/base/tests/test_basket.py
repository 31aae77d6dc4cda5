from shop.badge import badge
from shop.basket import Basket


def test_total():
    b = Basket("ann")
    b.add("tea", 4, 2)
    assert b.total() == 8


def test_badge():
    assert badge(None) == ""
    assert badge(Basket("ann")) == "ann: 0"
