from bus import Bus
from points import Points


def test_points_add_up():
    bus = Bus()
    points = Points(bus)
    bus.emit("order.placed", {"number": 1, "user": "bob", "total": 35})
    bus.emit("order.placed", {"number": 1, "user": "bob", "total": 10})
    assert points.balance == {1: 4}
