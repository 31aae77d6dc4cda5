import pytest

from order import Order, Status


def test_refund():
    o = Order(10)
    with pytest.raises(ValueError):
        o.refund()
    o.pay()
    o.refund()
    assert o.status is Status.REFUNDED
