"""A store."""


class Store:
    def __init__(self, data):
        self.data = data

    def size(self):
        return len(self.data)


def load(store, key):
    return store.data[key]
