"""Jobs."""

from client import fetch


def run(key):
    return fetch(key)["key"]
