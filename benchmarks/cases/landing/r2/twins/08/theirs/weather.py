"""Weather."""

import units


def describe(c):
    return f"{units.to_kelvin(c)} K"


def describe_fahrenheit(f):
    return describe((f - 32) * 5 / 9)
