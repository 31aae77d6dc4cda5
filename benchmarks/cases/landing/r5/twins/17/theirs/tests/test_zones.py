from bus.routes import parse
from bus.zones import zones_of_trip


def test_zones():
    a, b, c = parse("Mill:1 > Park:1 > Port:2")
    assert zones_of_trip([a, b, c]) == 2
    assert zones_of_trip([a, c, a]) == 2
