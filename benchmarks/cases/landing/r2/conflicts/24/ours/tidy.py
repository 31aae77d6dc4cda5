"""Tidying."""


def normalize(names):
    return [name.strip() for name in names]
