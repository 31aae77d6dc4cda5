from money import convert


def test_from_euros():
    assert convert(10, "GBP") == 8
    assert convert(8, "EUR", "GBP") == 10
