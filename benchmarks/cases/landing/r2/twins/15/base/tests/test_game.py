from game import start


def test_start():
    assert start() == 12
