from prices import Prices


def test_reduce_all():
    p = Prices({"price/ink": "500", "price/pen": "120"})
    p.reduce_all(10)
    assert p.get("ink") == 450
    assert p.get("pen") == 108
