from app.models import Item
from app.pricing import price_for


def test_price():
    assert price_for(100) == 120


def test_item():
    assert Item("tea", 100).count == 1
