from dial import address


def test_fallback():
    assert address('nope') == '127.0.0.1'
