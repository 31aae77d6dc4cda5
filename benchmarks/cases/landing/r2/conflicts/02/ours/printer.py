"""Printing."""

from ranges import parse_range


def banner(text):
    return f"pages {text}"
