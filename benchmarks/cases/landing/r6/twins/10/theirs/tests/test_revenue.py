from order import Order
from revenue import revenue


def test_open_orders_do_not_count():
    a, b = Order(10), Order(7)
    b.pay()
    assert revenue([a, b]) == 7
