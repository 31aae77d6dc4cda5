import pytest

from dispatch import dispatch
from orders import Order
from stock import Stock


def test_dispatch_counts_the_goods():
    stock = Stock({"mug": 10, "tea": 4})
    dispatch(Order(1, {"mug": 3, "tea": 4}, status="placed"), stock)
    assert stock.shipped == {"mug": 3, "tea": 4}


def test_only_once():
    stock = Stock({"mug": 10})
    order = Order(1, {"mug": 3}, status="placed")
    dispatch(order, stock)
    with pytest.raises(ValueError):
        dispatch(order, stock)
    assert stock.shipped == {"mug": 3}
