import pytest

from post.counter import price


@pytest.mark.parametrize("sides, cents", [([60, 30, 15], 399), ([61, 1, 1], 649), ([150, 10, 10], 1649)])
def test_price(sides, cents):
    assert price(sides) == cents
