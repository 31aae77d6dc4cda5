from events import Bus
from loyalty import Loyalty
from shop import Basket, Shop


def test_every_unit_counts():
    loyalty = Loyalty(Bus())
    loyalty.on_order({"number": 1, "customer": "ann", "items": ["mug", "mug", "tea"]})
    assert loyalty.points == {"ann": 30}


def test_points_from_an_order():
    bus = Bus()
    loyalty = Loyalty(bus)
    basket = Basket("ann")
    basket.add("mug")
    basket.add("tea")
    Shop(bus).place(basket)
    assert loyalty.points == {"ann": 20}


def test_levels():
    loyalty = Loyalty(Bus())
    loyalty.points = {"ann": 120, "bob": 500}
    assert [loyalty.level(n) for n in ("ann", "bob", "eve")] == ["silver", "gold", "basic"]
