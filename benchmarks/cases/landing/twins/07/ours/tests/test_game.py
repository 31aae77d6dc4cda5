from game import opening


def test_opening():
    assert opening().cells[1][1] == 'X'
