from bus.routes import parse


def test_parse():
    assert repr(parse("Mill:1 > Port:2")) == "[Stop('Mill', 1), Stop('Port', 2)]"
