from board import describe
from route import parse


def test_describe():
    assert describe(parse("Bonn, Ulm, 412\nUlm, Graz, 500")).split("\n") == [
        "Bonn - Ulm: 412 km", "Ulm - Graz: 500 km", "total: 912 km"]
