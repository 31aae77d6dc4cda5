import pytest
import prices


def test_label():
    assert prices.label("tea") == "tea 4.50"
    assert prices.label("milk") == "milk 1.08"


def test_bad_price():
    with pytest.raises(ValueError):
        prices.set_price("tea", 0)
