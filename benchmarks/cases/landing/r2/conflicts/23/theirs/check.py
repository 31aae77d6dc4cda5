"""Checks."""

from store import Store


def empty(store: Store):
    return store.size() == 0


def has(store: Store, key):
    return store.load(key) is not None
