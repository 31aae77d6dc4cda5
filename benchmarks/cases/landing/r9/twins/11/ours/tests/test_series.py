from tides.load import load


def test_points_come_in_order():
    series = load("3,1.5\n1,0.5\n2,2.5")
    assert list(series) == [(1, 0.5), (2, 2.5), (3, 1.5)]
    assert series.highest() == 2.5
    assert series.since(2) == [(2, 2.5), (3, 1.5)]
    assert len(series) == 3
