"""Watching."""

from timer import duration


def label():
    return "watch"
