from grid.base import Grid, Relay
from grid.made import KINDS


def test_self_tests():
    assert all(kind().self_test() for kind in KINDS.values())


def test_relay():
    assert not Relay().trip(voltage=Grid().measure(1)["volt"])["tripped"]
