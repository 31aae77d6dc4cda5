from datetime import date

from rental.calendar import days, month_end
from rental.price import business_price, price


def test_price():
    assert price(date(2024, 5, 3), date(2024, 5, 4)) == 95
    assert price(date(2024, 5, 6), date(2024, 5, 6)) == 40
    assert business_price(date(2024, 5, 3), date(2024, 5, 6)) == 80


def test_month_end():
    assert month_end(date(2024, 2, 3)) == date(2024, 2, 29)


def test_no_days():
    assert days(date(2024, 5, 2), date(2024, 5, 1)) == []
