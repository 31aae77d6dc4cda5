"""The API."""

from store import Store, load


def get(store: Store, key):
    return load(store, key)
