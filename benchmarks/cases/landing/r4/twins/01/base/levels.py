"""Stock levels: {sku: (on hand, minimum)}."""
from alerts import alert_buyers


def below_minimum(items):
    return sorted(sku for sku, (have, least) in items.items() if have < least)


def warn_low(items, buyers):
    low = below_minimum(items)
    if low:
        alert_buyers(buyers, "Low: " + ", ".join(low), channel="mail")
    return low


def reorder_amounts(items):
    """How many of each to order to stand at twice the minimum."""
    return {sku: 2 * items[sku][1] - items[sku][0] for sku in below_minimum(items)}
