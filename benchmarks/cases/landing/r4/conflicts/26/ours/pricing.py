"""Prices with and without VAT."""
from articles import Article


def vat_rate(reduced):
    return 7 if reduced else 19


def net_price(gross, reduced=False):
    return round(gross * 100 / (100 + vat_rate(reduced)))


def bundle(name, *parts):
    """Several articles as one, ten per cent off."""
    cents = sum(part.cents for part in parts) * 9 // 10
    return Article(name, cents, all(part.reduced_vat for part in parts))
