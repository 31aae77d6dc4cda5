"""Imports."""

from tidy import normalize


def read(text):
    return normalize(text.split(","))
