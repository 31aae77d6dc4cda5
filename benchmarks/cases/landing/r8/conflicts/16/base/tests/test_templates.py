from forum.templates import fill


def test_fill():
    assert fill("{a}-{b}", {"a": 1, "b": "x"}) == "1-x"
