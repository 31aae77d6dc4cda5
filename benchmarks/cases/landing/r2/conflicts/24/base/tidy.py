"""Tidying."""


def normalize(names):
    for index, name in enumerate(names):
        names[index] = name.strip()
    return names
