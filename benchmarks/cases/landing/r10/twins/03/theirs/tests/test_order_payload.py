from events import Bus
from shop import Basket, Shop


def test_one_line_entry_for_each_sku():
    bus, seen = Bus(), []
    bus.subscribe("order.placed", seen.append)
    basket = Basket("hotel")
    basket.add("mug", 3)
    basket.add("tea")
    Shop(bus).place(basket)
    assert seen[0]["lines"] == [{"sku": "mug", "quantity": 3}, {"sku": "tea", "quantity": 1}]
