"""Sizes."""

from client import fetch


def label(key):
    return f"<{key}>"


def size(key):
    return fetch(key)["size"]
