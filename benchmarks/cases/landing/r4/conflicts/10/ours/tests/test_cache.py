import prices


def test_new_price_is_seen():
    before = prices.price_of("rice")
    prices.set_price("rice", before + 10)
    assert prices.price_of("rice") == before + 10
    prices.set_price("rice", before)
