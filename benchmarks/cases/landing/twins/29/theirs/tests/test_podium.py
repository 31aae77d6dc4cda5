from podium import top3


def test_top3():
    assert top3([5, 0, 9, 1, 7]) == [5, 7, 9]
