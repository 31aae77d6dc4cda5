from events import Bus
from loyalty import Loyalty
from picklist import PickList
from shop import Basket, Shop

bus = Bus()
loyalty, picks = Loyalty(bus), PickList(bus)
basket = Basket("ann")
basket.add("mug", 12)
Shop(bus).place(basket)
assert picks.lines == ["#1 12 x mug"], picks.lines
assert loyalty.points == {"ann": 120}, loyalty.points
assert loyalty.level("ann") == "silver"
