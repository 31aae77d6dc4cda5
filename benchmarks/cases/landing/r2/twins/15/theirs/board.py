"""A board."""


def move(row, column):
    return row * 10 + column
