"""What the fleet costs us each month, used or not."""
from rental.calendar import days, month_end, month_start

DAILY = {"van": 12.5, "car": 8.0}


def monthly_cost(fleet, month, bought=None):
    """fleet: {kind: count}; month: any day of it; bought: the day from which it counts."""
    first = month_start(month)
    if bought:
        first = max(first, bought)
    count = len(days(first, month_end(month)))
    return sum(DAILY[kind] * number * count for kind, number in fleet.items())


def line(fleet, month):
    return f"{month:%Y-%m}: {monthly_cost(fleet, month):.2f}"
