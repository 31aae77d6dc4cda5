"""Columns."""

from model_names import table


def column(name):
    return table(name)[:-1] + "_id"
