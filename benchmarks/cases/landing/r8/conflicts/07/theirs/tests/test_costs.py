from fleet.costs import Lorry, quote


class Tour:
    def length(self):
        return 250.0


def test_quote():
    assert quote(Lorry(30.0), Tour(), 1.5, toll=20.0) == 132.5


def test_quote_toll_free():
    assert quote(Lorry(30.0, toll_free=True), Tour(), 1.5, toll=20.0) == 112.5
