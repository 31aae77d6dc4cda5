from tags import Tag


def test_repr():
    assert repr(Tag('a')) == '<a>'
