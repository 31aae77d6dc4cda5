"""Stock of a small workshop, kept in memory."""


class Inventory:
    def __init__(self):
        self._counts = {}

    def add(self, part, count=1):
        self._counts[part] = self._counts.get(part, 0) + count

    def remove(self, part):
        return self._counts.pop(part, 0)

    def move(self, old, new):
        self.add(new, self.remove(old))

    def count(self, part):
        return self._counts.get(part, 0)

    def parts(self):
        return sorted(self._counts)
