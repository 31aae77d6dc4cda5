"""Weather."""

import units


def describe(c):
    return f"{units.to_kelvin(c)} K"


def describe_fahrenheit(f):
    return describe(units.to_celsius(f))
