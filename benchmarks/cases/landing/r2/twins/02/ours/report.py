"""Reports."""

from ranges import parse_range


def count_pages(text):
    start, stop = parse_range(text)
    return stop - start
