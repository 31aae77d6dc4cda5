import pytest

from stock import Stock


def test_put_and_take():
    s = Stock()
    s.put("M4", 10)
    s.take("M4", 3)
    assert s.inventory() == {"M4": 7}


def test_not_below_zero():
    with pytest.raises(ValueError):
        Stock().take("M4", 1)
