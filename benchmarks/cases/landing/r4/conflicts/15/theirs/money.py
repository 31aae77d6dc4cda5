"""Currencies. Rates: one euro is so much of the other."""
RATES = {"EUR": 1.0, "USD": 1.25, "GBP": 0.8}


def convert(amount, to, frm="EUR"):
    """An amount in one currency as one in another, to the cent."""
    return round(amount / RATES[frm] * RATES[to], 2)


def show(amount, currency):
    return f"{amount:.2f} {currency}"
