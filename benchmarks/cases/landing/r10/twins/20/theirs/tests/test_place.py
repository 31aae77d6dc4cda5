import pytest

from orders import Order, cancel, place
from stock import Stock


def test_placing_takes_the_goods():
    stock = Stock({"mug": 10})
    place(Order(1, {"mug": 6}), stock)
    assert stock.quantities == {"mug": 4}
    with pytest.raises(ValueError):
        place(Order(2, {"mug": 6}), stock)


def test_cancel_puts_them_back():
    stock = Stock({"mug": 10})
    order = place(Order(1, {"mug": 6}), stock)
    cancel(order, stock)
    assert stock.quantities == {"mug": 10}
    with pytest.raises(ValueError):
        cancel(order, stock)
