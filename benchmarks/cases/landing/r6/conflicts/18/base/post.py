from text import shorten, title_case


class Post:
    def __init__(self, title, body):
        self.title = title_case(title)
        self.body = body

    def teaser(self):
        return shorten(self.body, 20)
