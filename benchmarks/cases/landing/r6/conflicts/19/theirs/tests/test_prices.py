from basket import total
from prices import Prices


def test_total():
    p = Prices({})
    p.set("pen", 120)
    p.set("ink", 500)
    assert total(p, [("pen", 2), ("ink", 1)]) == 740
    p.set("pen", 100)
    assert total(p, [("pen", 2)]) == 200
