"""Watching."""

from timer import duration


def label():
    return "watch"


def slow(start, stop):
    return stop - start > 60
