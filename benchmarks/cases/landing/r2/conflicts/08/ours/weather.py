"""Weather."""

import units


def describe(c):
    return f"{units.to_kelvin(c)} K"
