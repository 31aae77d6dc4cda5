MARGIN = 20


def price_for(cost):
    """Sale price in cents: cost and the margin in percent."""
    return cost + cost * MARGIN // 100
