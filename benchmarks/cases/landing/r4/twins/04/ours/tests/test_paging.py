from datetime import date
from orders import Order, Orders


def test_pages_do_not_shift():
    orders = Orders()
    for month in (1, 2, 3):
        orders.place(Order(month, "ann", date(2024, month, 1)))
    first_page = orders.of("ann")[:2]
    orders.place(Order(4, "ann", date(2024, 4, 1)))
    assert orders.of("ann")[:2] == first_page
