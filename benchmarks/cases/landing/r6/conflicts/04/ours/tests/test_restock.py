from restock import restock
from stock import Stock


def test_reports_what_moved():
    s = Stock({"warehouse": {"pen": 9, "ink": 9}, "north": {"pen": 4}})
    assert restock(s, "north", {"pen": 6, "ink": 1}) == {"pen": 2, "ink": 1}


def test_nothing_to_do():
    s = Stock({"warehouse": {"pen": 9}, "north": {"pen": 4}})
    assert restock(s, "north", {"pen": 4}) == {}
    assert s.count("warehouse", "pen") == 9
