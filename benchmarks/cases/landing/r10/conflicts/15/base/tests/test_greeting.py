from greeting import greet


def test_known():
    assert greet("192.0.2.17") == "Hello to Bonn!"


def test_unknown():
    assert greet("203.0.113.1") == "Hello!"
