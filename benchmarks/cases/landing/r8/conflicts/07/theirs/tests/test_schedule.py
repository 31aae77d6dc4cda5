import pytest

from fleet.route import Place, Route
from fleet.schedule import minutes

A, B, C = Place("a", 0, 0), Place("b", 0, 1), Place("c", 0, 2)


def test_minutes_of_one_degree():
    assert minutes(Route((A, B))) == pytest.approx(111.19, abs=0.1)


def test_minutes_with_a_stop():
    assert minutes(Route((A, B, C))) == pytest.approx(2 * 111.19 + 15, abs=0.1)
