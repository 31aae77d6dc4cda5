from app.models import Item

MARGIN = 20


def price_for(cost):
    """Sale price in cents: cost and the margin in percent."""
    return cost + cost * MARGIN // 100


def bundle(sku, items, off=10):
    """One item made of several, with some percent off their cost."""
    cost = sum(item.cost * item.count for item in items)
    return Item(sku, cost - cost * off // 100)
