# weekends have no table: look back for the last rate
import datetime as dt

MAX_BACK = 7


def last_rate(rates, cur, on, back=MAX_BACK):
    """(rate, day it is from), looking back at most `back` days."""
    for n in range(back + 1):
        d = on - dt.timedelta(days=n)
        try:
            return rates.rate(cur, d), d
        except KeyError:
            continue
    return None


def convert(rates, amount, src, dst, on):
    a, b = last_rate(rates, src, on), last_rate(rates, dst, on)
    if a is None or b is None:
        return None
    return round(amount / a[0] * b[0], 4)
