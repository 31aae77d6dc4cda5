import icons


def test_sun():
    assert icons.icon('sun') == '*'
