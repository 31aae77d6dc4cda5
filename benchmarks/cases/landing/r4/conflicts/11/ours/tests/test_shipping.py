from orders import Order
from shipping import to_pack


def test_to_pack():
    done = Order(1, 100, [("2024-01-02", 100)], shipped=True)
    small = Order(2, 200, [("2024-01-02", 200)])
    big = Order(3, 900, [("2024-01-03", 900)])
    assert to_pack([done, small, big]) == [big, small]
