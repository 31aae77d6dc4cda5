from cache import Cache


def test_size():
    assert Cache().size() == 0
