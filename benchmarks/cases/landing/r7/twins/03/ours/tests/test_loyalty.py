from bistro.bus import Bus
from bistro.loyalty import Loyalty


def test_a_stamp_for_each_guest():
    bus = Bus()
    loyalty = Loyalty(bus)
    bus.publish("table.closed", {"table": 1, "guests": 3, "card": "K9", "total": 47.80})
    assert loyalty.points["K9"] == 3


def test_no_card_no_stamps():
    bus = Bus()
    loyalty = Loyalty(bus)
    bus.publish("table.closed", {"table": 1, "guests": 3, "card": None, "total": 47.80})
    assert not loyalty.points
