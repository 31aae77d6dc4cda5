from bistro.bus import Bus
from bistro.loyalty import Loyalty


def test_points_for_full_tens():
    bus = Bus()
    loyalty = Loyalty(bus)
    bus.publish("table.closed", {"table": 1, "guests": 3, "card": "K9", "total": 47.80})
    assert loyalty.points["K9"] == 4


def test_no_card_no_points():
    bus = Bus()
    loyalty = Loyalty(bus)
    bus.publish("table.closed", {"table": 1, "guests": 3, "card": None, "total": 47.80})
    assert not loyalty.points
