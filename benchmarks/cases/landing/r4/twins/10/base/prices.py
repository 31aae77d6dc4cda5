"""Prices in cents, with special offers."""
_TABLE = {"tea": 450, "milk": 120, "rice": 200, "salt": 80}
_OFFERS = {"milk": 10}  # percent off


def price_of(sku):
    """What a customer pays today."""
    cents = _TABLE[sku]
    return cents - cents * _OFFERS.get(sku, 0) // 100


def set_price(sku, cents):
    if cents <= 0:
        raise ValueError("a price is more than nothing")
    _TABLE[sku] = cents


def skus():
    return sorted(_TABLE)


def label(sku):
    """Text of the shelf label."""
    cents = price_of(sku)
    return f"{sku} {cents // 100}.{cents % 100:02}"
