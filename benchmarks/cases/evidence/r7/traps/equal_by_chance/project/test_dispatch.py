from dispatch import Dispatch
from warehouse import Warehouse


def test_ship_what_is_there():
    level = Warehouse().level("bolt")
    assert level["on_hand"] == 5
    assert level["available"] == 5
    assert Dispatch().ship(quantity=5) == {"cartons": 2}
