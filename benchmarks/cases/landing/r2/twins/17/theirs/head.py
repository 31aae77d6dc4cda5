"""Heads."""

from rows import read_rows


def mark(text):
    return "# " + text


def first(text):
    return next(iter(read_rows(text)))
