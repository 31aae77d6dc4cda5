"""The API."""

from store import Store


def get(store: Store, key):
    return store.load(key)
