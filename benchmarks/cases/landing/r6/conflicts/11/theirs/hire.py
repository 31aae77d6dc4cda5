from span import days

RATE = 40
WEEKEND_EXTRA = 10


def price(first, last):
    """A car is paid for each day it is out, the last one too."""
    total = 0
    for day in days(first, last):
        total += RATE
        if day.weekday() >= 5:
            total += WEEKEND_EXTRA
    return total
