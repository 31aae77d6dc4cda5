from order import Order, Status


def test_pay():
    o = Order(10)
    o.pay()
    assert o.status is Status.PAID
