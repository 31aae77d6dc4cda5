from bus import Bus
from orders import place


def test_event_names_the_customer():
    seen = []
    bus = Bus()
    bus.on("order.placed", seen.append)
    place(bus, 7, "ann", 20)
    assert seen[0]["customer"] == "ann"
