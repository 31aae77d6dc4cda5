from datetime import date

from hire import price


def test_one_day():
    assert price(date(2024, 5, 6), date(2024, 5, 6)) == 40


def test_weekend():
    assert price(date(2024, 5, 3), date(2024, 5, 5)) == 140
