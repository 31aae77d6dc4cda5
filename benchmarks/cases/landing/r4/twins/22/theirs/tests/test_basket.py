import pytest
from stock import OutOfStock, Stock


def test_nothing_is_taken_when_one_is_short():
    stock = Stock({"nut": 2, "bolt": 0})
    with pytest.raises(OutOfStock, match="bolt"):
        stock.reserve_all({"nut": 1, "bolt": 1})
    assert stock.on_hand("nut") == 2
