class Note:
    def __init__(self, title, body=""):
        self.title = title
        self.body = body

    def words(self):
        return len(self.body.split())

    def matches(self, text):
        text = text.lower()
        return text in self.title.lower() or text in self.body.lower()

    def duplicate(self):
        """The same note again, marked as a copy."""
        twin = Note(self.title, self.body)
        twin.title = self.title + " (copy)"
        return twin
