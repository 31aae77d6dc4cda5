"""A board."""


def move(column, row):
    return row * 10 + column
