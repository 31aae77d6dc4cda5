from weather import describe


def test_describe():
    assert describe(0) == "273.15 K"
