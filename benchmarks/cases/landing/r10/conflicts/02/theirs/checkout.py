"""Price quotes, all in cents."""
from places import lookup
from salestax import tax_on

SHIPPING = 500


def quote(prices, postal_code, find_place=lookup):
    """Return the lines of a quote for a basket sent to a postal code."""
    place = find_place(postal_code)
    subtotal = sum(prices)
    tax = tax_on(subtotal, place)
    return {
        "ship_to": place["city"],
        "subtotal": subtotal,
        "shipping": SHIPPING,
        "tax": tax,
        "total": subtotal + SHIPPING + tax,
    }
