"""Heads."""

from rows import read_rows


def mark(text):
    return "# " + text
