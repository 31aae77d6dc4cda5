"""Reports."""

from ranges import parse_range


def count_pages(text):
    found = parse_range(text)
    return found["stop"] - found["start"] + 1
