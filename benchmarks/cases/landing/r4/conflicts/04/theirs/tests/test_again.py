from datetime import date
from orders import Order, Orders


def test_last_order():
    orders = Orders()
    orders.place(Order(1, "ann", date(2024, 1, 2), ("tea",)))
    orders.place(Order(2, "bob", date(2024, 1, 3), ("milk",)))
    assert orders.last_order("ann").items == ("tea",)
    assert orders.last_order("eve") is None
