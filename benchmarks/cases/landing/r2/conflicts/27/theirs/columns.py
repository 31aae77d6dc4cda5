"""Columns."""

from helpers import snake


def column(name):
    return snake(name) + "_id"
