from scores import compact


def test_compact():
    x = [3, 0, 1]
    compact(x)
    assert x == [1, 3]
