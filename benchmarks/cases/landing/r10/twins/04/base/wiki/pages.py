"""Pages of the wiki."""
from wiki.text import slugify


class Wiki:
    def __init__(self):
        self._pages = {}

    def add(self, title, text):
        """Store a page and return its slug."""
        slug = slugify(title)
        self._pages[slug] = (title, text)
        return slug

    def get(self, slug):
        return self._pages[slug]

    def titles(self):
        return [title for title, _ in self._pages.values()]

    def __iter__(self):
        return iter(self._pages.values())
