from hosts import lookup


def test_db():
    assert lookup('db') == '10.0.0.5'
