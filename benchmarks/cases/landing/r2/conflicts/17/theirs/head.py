"""Heads."""

from rows import read_rows


def mark(text):
    return "# " + text


def first(text):
    return read_rows(text)[0]
