from geo import UNKNOWN, Location, find, locate
from greeting import greet


def test_no_location_is_none():
    assert find("203.0.113.1") is None
    assert locate("203.0.113.1") is UNKNOWN
    assert find("192.0.2.1") == Location("DE", "Bonn")


def test_not_an_address():
    assert find("unix:") is None
    assert greet("unix:") == "Hello!"
