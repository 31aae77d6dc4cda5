"""A store."""


class Store:
    def __init__(self, data):
        self.data = data

    def load(self, key):
        return self.data[key]

    def size(self):
        return len(self.data)
