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
    """Return {"city", "state", "state_name"} of a postal code; KeyError when unknown."""
    city, state = DIRECTORY[postal_code.strip()]
    return {"city": city, "state": state, "state_name": STATE_NAMES[state]}
