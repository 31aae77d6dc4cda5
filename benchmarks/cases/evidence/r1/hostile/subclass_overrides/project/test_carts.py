import pytest
from big_cart import BigCart
from mine import Cart, Mine


@pytest.mark.parametrize("cart, load", [(Cart, 70), (BigCart, 140)])
def test_load(cart, load):
    assert cart().fill(kg=Mine().dig()["ore_kg"]) == {"load": load}
