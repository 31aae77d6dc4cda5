"""Sizes."""

from client import fetch


def label(key):
    return f"<{key}>"
