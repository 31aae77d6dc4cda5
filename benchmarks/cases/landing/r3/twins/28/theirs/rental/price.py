"""Prices by the day; the weekend costs more."""
from rental.calendar import days

WEEKDAY, WEEKEND = 40, 55


def business_price(first, last):
    """Companies pay for the days on which they work."""
    return WEEKDAY * len(days(first, last, workdays=True))


def price(first, last):
    return sum(WEEKEND if day.weekday() >= 5 else WEEKDAY for day in days(first, last))
