from money.batch import convert


def test_convert():
    assert convert([(100, "USD"), (5, "XXX"), (100, "EUR")]) == (190.08, ["XXX"])
