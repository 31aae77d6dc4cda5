from bus.routes import parse
from bus.stops import Stop


def test_equal():
    assert parse("Mill:1") == [Stop("Mill", 1)]


def test_parse():
    assert repr(parse("Mill:1 > Port:2")) == "[Stop('Mill', 1), Stop('Port', 2)]"
