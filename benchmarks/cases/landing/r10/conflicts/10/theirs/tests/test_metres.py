from board import describe
from route import parse, total


def test_distance_is_in_metres():
    assert [leg.distance for leg in parse("Bonn, Ulm, 412\nUlm, Ulm Nord, 800 m")] == [412000, 800]


def test_short_legs_are_shown_in_metres():
    legs = parse("Ulm, Ulm Nord, 800 m")
    assert total(legs) == 800
    assert describe(legs) == "Ulm - Ulm Nord: 800 m\ntotal: 800 m"
