"""Price quotes, all in cents."""
from places import lookup

SHIPPING = 500


def quote(prices, postal_code, find_place=lookup):
    """Return the lines of a quote for a basket sent to a postal code."""
    place = find_place(postal_code)
    subtotal = sum(prices)
    return {
        "ship_to": place["city"],
        "subtotal": subtotal,
        "shipping": SHIPPING,
        "total": subtotal + SHIPPING,
    }
