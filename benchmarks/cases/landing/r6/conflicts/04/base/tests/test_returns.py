from returns import take_back
from stock import Stock


def test_take_back():
    s = Stock({"customer": {"pen": 2}})
    take_back(s, "pen")
    assert s.count("customer", "pen") == 1
    assert s.count("inspection", "pen") == 1
