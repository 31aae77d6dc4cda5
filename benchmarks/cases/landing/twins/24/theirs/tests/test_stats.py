from stats import size


def test_size():
    assert size('a')
