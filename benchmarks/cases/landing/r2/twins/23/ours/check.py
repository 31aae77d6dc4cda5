"""Checks."""

from store import Store


def empty(store: Store):
    return store.size() == 0
