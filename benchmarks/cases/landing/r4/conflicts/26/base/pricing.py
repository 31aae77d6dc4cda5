"""Prices with and without VAT."""


def vat_rate(reduced):
    return 7 if reduced else 19


def net_price(gross, reduced=False):
    return round(gross * 100 / (100 + vat_rate(reduced)))
