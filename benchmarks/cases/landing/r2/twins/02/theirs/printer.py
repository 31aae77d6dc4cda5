"""Printing."""

from ranges import parse_range


def banner(text):
    return f"pages {text}"


def first_page(text):
    return banner(text).split()[1]
