"""Filling vessels from one or two lines."""


class LineStopped(Exception):
    pass


def shares(hot, cold, litres):
    """How many of the litres come from either line, both being open."""
    rate = hot.flow() + cold.flow()
    if rate <= 0:
        raise LineStopped("nothing flows")
    return litres / rate * hot.flow(), litres / rate * cold.flow()


def mixed(hot, cold, hot_degrees, cold_degrees):
    from_hot, from_cold = shares(hot, cold, 1)
    return from_hot * hot_degrees + from_cold * cold_degrees
