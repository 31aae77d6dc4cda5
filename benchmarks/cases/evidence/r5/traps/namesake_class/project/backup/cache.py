from backup.hasher import Hasher


class Store:
    def __init__(self):
        self.rows = {}

    def put(self, key):
        self.rows[key] = True
        return len(self.rows)


def warm(*texts):
    store = Store()
    for text in texts:
        n = store.put(key=Hasher().digest(text)["sha"])
    return n
