from money import Money


def test_money():
    assert Money('2.50').as_decimal() * 2 == 5
