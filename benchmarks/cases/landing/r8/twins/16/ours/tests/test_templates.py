from forum.templates import fill


def test_fill():
    assert fill("{a}-{b}", {"a": 1, "b": "x"}) == "1-x"


def test_values_cannot_bring_tags():
    assert fill("<p>{a}</p>", {"a": "<script>"}) == "<p>&lt;script&gt;</p>"
