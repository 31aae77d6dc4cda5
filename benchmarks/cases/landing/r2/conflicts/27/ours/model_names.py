"""Names."""

from strings import snake


def table(name):
    return snake(name) + "s"
