class Audit:
    def __init__(self):
        self._entries = []

    def record(self, at, user, action):
        self._entries.append((at, user, action))

    def entries(self, user=None):
        found = [e for e in self._entries if user in (None, e[1])]
        return sorted(found, reverse=True)
