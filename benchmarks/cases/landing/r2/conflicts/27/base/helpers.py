"""Strings."""


def snake(name):
    return name.replace(" ", "_")
