from datetime import date


class Page(list):
    """Some episodes; `cursor` is the day to go on from, None on the last page."""

    cursor = None


class Catalogue:
    def __init__(self):
        self._shows = {}

    def add(self, show, title, published):
        self._shows.setdefault(show, []).append((published, title))

    def episodes(self, show, since=date.min, limit=100):
        """One page of a show's episodes, oldest first."""
        found = sorted(e for e in self._shows.get(show, []) if e[0] >= since)
        page = Page(found[:limit])
        page.cursor = found[limit][0] if len(found) > limit else None
        return page
