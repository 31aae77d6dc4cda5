import pytest
from stock import OutOfStock, Stock


def test_stock(capsys):
    stock = Stock({"nut": 2})
    stock.put("nut", 3)
    assert capsys.readouterr().out == "nut: +3, now 5\n"
    stock.take("nut", 4)
    assert stock.on_hand("nut") == 1
    with pytest.raises(OutOfStock):
        stock.take("nut", 2)
