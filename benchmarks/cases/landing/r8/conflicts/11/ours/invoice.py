# totals of invoices in EUR
from rates import NoRate


def total(rates, lines, on):
    """lines: (amount, currency). Returns (sum, currencies without a rate)."""
    s, missing = 0.0, []
    for amount, cur in lines:
        try:
            s += amount / rates.rate(cur, on)
        except NoRate:
            missing.append(cur)
    return round(s, 2), missing
