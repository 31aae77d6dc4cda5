class History:
    def __init__(self):
        self.entries = []

    def add(self, line):
        self.entries.insert(0, line)

    def newest(self):
        return self.entries[0]
