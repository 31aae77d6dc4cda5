"""Reports."""

from timer import duration


def line(start, stop):
    return f"{duration(start, stop)} s"
