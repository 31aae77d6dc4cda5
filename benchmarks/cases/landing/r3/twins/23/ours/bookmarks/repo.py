"""Bookmarks in SQLite."""
import contextlib
import sqlite3


class Repo:
    def __init__(self, path):
        self.db = sqlite3.connect(path)
        self.db.execute("CREATE TABLE IF NOT EXISTS mark (url TEXT PRIMARY KEY, tag TEXT NOT NULL)")
        self.db.commit()
        self._batched = False

    @contextlib.contextmanager
    def batch(self):
        """One commit for all that is saved inside; nothing is kept when it fails."""
        self._batched = True
        try:
            yield self
            self.db.commit()
        finally:
            self._batched = False
            self.db.rollback()

    def save(self, url, tag):
        """Insert or change a bookmark."""
        self.db.execute("INSERT INTO mark VALUES (?, ?) ON CONFLICT (url) DO UPDATE SET tag = excluded.tag", (url, tag))
        if not self._batched:
            self.db.commit()

    def tagged(self, tag):
        return [row[0] for row in self.db.execute("SELECT url FROM mark WHERE tag = ? ORDER BY url", (tag,))]

    def close(self):
        self.db.close()
