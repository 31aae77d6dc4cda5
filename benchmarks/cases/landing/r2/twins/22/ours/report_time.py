"""Reports."""

from timer import duration


def line(start, stop):
    return f"{duration(start, stop) // 1000} s"
