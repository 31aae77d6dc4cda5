from geo import Location, locate
from greeting import greet


def test_no_location_is_none():
    assert locate("203.0.113.1") is None
    assert locate("192.0.2.1") == Location("DE", "Bonn")


def test_not_an_address():
    assert locate("unix:") is None
    assert greet("unix:") == "Hello!"
