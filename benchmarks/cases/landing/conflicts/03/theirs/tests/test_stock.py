from stock import take


def test_take():
    assert take({'nut': 9}, 'nut', 6) == 3
