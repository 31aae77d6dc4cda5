"""Paint."""

from shapes import Box


def litres(box: Box):
    return box.area / 10
