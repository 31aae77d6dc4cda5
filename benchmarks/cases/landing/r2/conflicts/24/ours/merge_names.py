"""Merging."""

from tidy import normalize


def both(a, b):
    return [*a, *b]
