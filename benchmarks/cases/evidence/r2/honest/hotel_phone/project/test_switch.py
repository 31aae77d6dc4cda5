from concierge import Switch


def test_spaces_go():
    assert Switch().connect(telephone="1 2 3") == {"line": "123"}
