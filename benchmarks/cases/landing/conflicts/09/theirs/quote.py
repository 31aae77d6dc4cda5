import tax


def quote(hours, rate=80):
    return round(hours * rate * (1 + tax.VAT), 2)
