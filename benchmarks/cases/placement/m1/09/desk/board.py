class Board:
    def __init__(self, sections):
        self.slots = {s.key: "-" for s in sections}

    def put(self, key, headline):
        self.slots, old = {**self.slots, key: headline}, self.slots.get(key)
        return old
