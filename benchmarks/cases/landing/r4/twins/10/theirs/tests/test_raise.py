import prices


def test_raise():
    prices.raise_all(10, among=["salt"])
    assert prices.price_of("salt") == 88
