"""Tables."""

from score import best


def row(points):
    return f"best {best(points) or 0}"
