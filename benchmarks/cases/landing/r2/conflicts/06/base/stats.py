"""Figures."""

from reader import read_number


def total(rows):
    return sum(read_number(row, strict=True) for row in rows)
