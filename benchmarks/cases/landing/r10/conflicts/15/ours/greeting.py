"""The line on top of the page."""
from geo import locate


def greet(address):
    place = locate(address)
    if place is None:
        return "Hello!"
    return f"Hello to {place.city}!"
