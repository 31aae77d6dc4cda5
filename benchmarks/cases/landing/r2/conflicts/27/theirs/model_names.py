"""Names."""

from helpers import snake


def table(name):
    return snake(name) + "s"
