class Note:
    def __init__(self, title, body="", color="white"):
        self.title = title
        self.body = body
        self.color = color

    def words(self):
        return len(self.body.split())

    def matches(self, text):
        text = text.lower()
        return text in self.title.lower() or text in self.body.lower()
