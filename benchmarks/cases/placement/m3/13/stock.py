from collections import Counter


class Pantry:
    def __init__(self, **start):
        self.jars = Counter(start)
        self.watchers = []

    def put(self, what, grams):
        self.jars[what] += grams
        for watcher in self.watchers:
            watcher(what, self.jars[what])

    def has(self, what):
        return self.jars[what]


LARDER = Pantry(flour=2000, sugar=500)
