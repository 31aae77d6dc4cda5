"""Merging."""

from tidy import normalize


def both(a, b):
    return [*a, *b]


def merge(a, b):
    names = both(a, b)
    return sorted(normalize(names))
