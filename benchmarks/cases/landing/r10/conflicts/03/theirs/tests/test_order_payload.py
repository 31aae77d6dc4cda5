from events import Bus
from shop import Basket, Shop


def test_one_item_entry_for_each_line_even_for_pallets():
    bus, seen = Bus(), []
    bus.subscribe("order.placed", seen.append)
    basket = Basket("hotel")
    basket.add("mug", 4000)
    basket.add("tea")
    Shop(bus).place(basket)
    assert seen[0]["items"] == [{"sku": "mug", "quantity": 4000}, {"sku": "tea", "quantity": 1}]
