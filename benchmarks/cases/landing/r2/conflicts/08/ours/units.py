"""Units."""


def to_kelvin(c):
    return c + 273.15
