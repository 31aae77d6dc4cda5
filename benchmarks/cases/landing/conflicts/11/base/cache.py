class Cache:
    def __init__(self):
        self._d = {}

    def get(self, key):
        return self._d.get(key)

    def size(self):
        return len(self._d)
