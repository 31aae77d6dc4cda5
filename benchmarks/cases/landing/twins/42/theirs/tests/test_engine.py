from engine import running


def test_step():
    assert running().step() == 1
