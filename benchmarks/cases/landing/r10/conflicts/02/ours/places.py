"""Postal code directory."""

DIRECTORY = {
    "97201": ("Portland", "OR"),
    "94103": ("San Francisco", "CA"),
    "10001": ("New York", "NY"),
    "59601": ("Helena", "MT"),
}


STATE_NAMES = {
    "OR": "Oregon",
    "CA": "California",
    "NY": "New York",
    "MT": "Montana",
}


def lookup(postal_code):
    """Return {"city", "state"} of a postal code, the state spelled out; KeyError when unknown."""
    city, state = DIRECTORY[postal_code.strip()]
    return {"city": city, "state": STATE_NAMES[state]}
