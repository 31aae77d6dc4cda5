from tax import Parser, Tax


def test_line():
    assert Tax().levy(percent=Parser().parse("19")["rate"]) == {"line": "tax 19.0 %"}
