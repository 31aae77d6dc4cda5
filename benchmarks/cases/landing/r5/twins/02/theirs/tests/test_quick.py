from shop.basket import Basket
from shop.quick import KIOSK, quick_add


def test_signed_in():
    mine = Basket("ann")
    mine.add("tea", 4)
    assert quick_add("jam", 3, mine) is mine
    assert mine.total() == 7


def test_kiosk():
    assert quick_add("jam", 3) is KIOSK
