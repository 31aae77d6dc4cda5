from shop import price_tag


def test_tag():
    assert price_tag(4) == '5.00'
