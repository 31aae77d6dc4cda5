from fleet.costs import Lorry, quote
from fleet.route import Place, Route

TOUR = Route((Place("a", 0, 0), Place("x", 0, 3), Place("b", 0, 2)))


def test_quote():
    assert quote(Lorry(30.0), TOUR, toll=20.0) == 80.0


def test_quote_toll_free():
    assert quote(Lorry(30.0, toll_free=True), TOUR, toll=20.0) == 60.0
