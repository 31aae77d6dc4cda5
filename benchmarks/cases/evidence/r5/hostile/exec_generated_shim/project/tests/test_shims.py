from farm import shims


def test_shims():
    assert shims.bags(200) == 1 and shims.silos(2) == 8
