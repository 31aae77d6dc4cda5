"""Checks."""

from store import Store


def empty(store: Store):
    return store.size() == 0


def has(store: Store, key):
    return key in store.data and not empty(store)
