"""Prices by the day; the weekend costs more."""
from rental.calendar import days

WEEKDAY, WEEKEND = 40, 55


def price(first, last):
    return sum(WEEKEND if day.weekday() >= 5 else WEEKDAY for day in days(first, last))
