from depot.checkout import Checkout
from depot.stock import Stock


def test_place_promises_every_line():
    stock = Stock({"mug": 3, "tee": 1})
    assert Checkout(stock).place("o1", {"mug": 2, "tee": 1})
    assert stock.available("mug") == 1
    assert stock.ship("o1") == {"mug": 2, "tee": 1}
    assert stock.on_hand == {"mug": 1, "tee": 0}


def test_place_is_all_or_nothing():
    stock = Stock({"mug": 3, "tee": 1})
    assert not Checkout(stock).place("o1", {"mug": 2, "tee": 2})
    assert stock.available("mug") == 3
