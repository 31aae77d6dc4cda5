import pytest

from dispatch import dispatch
from orders import Order, place
from stock import Stock


def test_order_goes_out():
    stock = Stock({"mug": 10}, {"mug": "A3"})
    order = place(Order(1, {"mug": 3}), stock)
    assert order.status == "placed"
    assert dispatch(order, stock) == ["3 x mug from A3"]
    assert order.status == "dispatched"


def test_not_enough():
    with pytest.raises(ValueError):
        place(Order(1, {"mug": 3}), Stock({"mug": 2}))
