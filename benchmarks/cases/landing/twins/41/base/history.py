class History:
    def __init__(self):
        self.entries = []

    def add(self, line):
        self.entries.append(line)

    def newest(self):
        return self.entries[-1]
