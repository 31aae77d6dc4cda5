from plugin import Plugin


def test_describe():
    assert Plugin(a=1).describe() == 'plain'
