"""Sums."""

from rows import read_rows


def add(text):
    return sum(int(row) for row in read_rows(text))
