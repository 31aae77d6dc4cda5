from stock import Stock


def test_depot_is_the_usual_source():
    s = Stock({"depot": {"pen": 5}})
    s.move("pen", 2, "shop")
    assert s.count("shop", "pen") == 2
    assert s.count("depot", "pen") == 3
