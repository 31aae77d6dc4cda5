"""Pages of the wiki."""
from wiki.slugs import is_slug, slugify


class Wiki:
    def __init__(self):
        self._pages = {}

    def add(self, title, text):
        """Store a page and return its slug."""
        slug = slugify(title)
        self._pages[slug] = (title, text)
        return slug

    def get(self, slug):
        """A page by its slug or its title."""
        return self._pages[slug if is_slug(slug) else slugify(slug)]

    def titles(self):
        return [title for title, _ in self._pages.values()]

    def __iter__(self):
        return iter(self._pages.values())
