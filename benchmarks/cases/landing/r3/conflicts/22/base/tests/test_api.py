from orders.api import post_order

GOOD = {"customer": "ada", "lines": [{"count": 2, "price": 10}]}


def test_good():
    store = {}
    assert post_order(store, GOOD) == (201, {"number": 1, "total": 20})
    assert store == {1: GOOD}


def test_bad():
    for bad in ({"lines": GOOD["lines"]}, dict(GOOD, lines=[]), dict(GOOD, lines=[{"count": 0, "price": 1}])):
        store = {}
        assert post_order(store, bad)[0] == 422
        assert store == {}
