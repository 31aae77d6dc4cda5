from datetime import date
from orders import Order, Orders

orders = Orders()
orders.place(Order(1, "ann", date(2024, 1, 2)))
orders.place(Order(2, "ann", date(2024, 3, 4)))
assert orders.last_order("ann").number == 2, orders.last_order("ann")
