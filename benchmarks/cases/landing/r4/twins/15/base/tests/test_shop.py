from shop import price_tag


def test_price_tag():
    assert price_tag(10, "USD") == "12.50 USD"
    assert price_tag(10, "EUR") == "10.00 EUR"
