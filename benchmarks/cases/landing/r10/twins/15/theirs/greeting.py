"""The line on top of the page."""
from geo import UNKNOWN, locate


def greet(address):
    place = locate(address)
    if place is UNKNOWN:
        return "Hello!"
    return f"Hello to {place.city}!"
