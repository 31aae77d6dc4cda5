from datetime import date

from nights import nights


def test_nights():
    assert nights(date(2024, 5, 1), date(2024, 5, 3)) == 2
    assert nights(date(2024, 5, 1), date(2024, 5, 1)) == 0
