class Notebook:
    def __init__(self):
        self.notes = []

    def add(self, note):
        self.notes.append(note)
        return note

    def search(self, text):
        return [n for n in self.notes if n.matches(text)]
