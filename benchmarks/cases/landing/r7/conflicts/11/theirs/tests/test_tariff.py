from ferry.tariff import price_list, quote


def test_quote():
    assert quote("A", 2, ["bike"]) == 630


def test_price_list():
    assert price_list()[0] == "A 2.40"
