"""Merging."""

from tidy import normalize


def both(a, b):
    return [*a, *b]


def merge(a, b):
    names = both(a, b)
    normalize(names)
    return sorted(names)
