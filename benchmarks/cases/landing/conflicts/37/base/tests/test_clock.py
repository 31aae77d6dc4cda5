from clock import now


def test_year():
    assert now().year >= 2024
