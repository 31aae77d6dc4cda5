from dispatch import dispatch
from orders import Order, place
from stock import Stock

stock = Stock({"mug": 10})
order = place(Order(1, {"mug": 3}), stock)
dispatch(order, stock)
assert stock.quantities == {"mug": 7}, stock.quantities
assert stock.shipped == {"mug": 3}, stock.shipped
