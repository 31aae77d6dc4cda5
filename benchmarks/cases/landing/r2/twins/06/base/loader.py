"""Loading."""

from reader import read_number


def load(rows):
    return [read_number(row, strict=False) for row in rows]
