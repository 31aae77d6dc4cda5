"""The line on top of the page."""
from geo import find


def greet(address):
    place = find(address)
    if place is None:
        return "Hello!"
    return f"Hello to {place.city}!"
