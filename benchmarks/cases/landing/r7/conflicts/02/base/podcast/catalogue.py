from datetime import date


class Catalogue:
    def __init__(self):
        self._shows = {}

    def add(self, show, title, published):
        self._shows.setdefault(show, []).append((published, title))

    def episodes(self, show, since=date.min):
        """Episodes of a show published on or after a day, oldest first."""
        found = sorted(e for e in self._shows.get(show, []) if e[0] >= since)
        return found
