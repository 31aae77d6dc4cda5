"""Bookmarks in SQLite."""
import sqlite3


class Repo:
    def __init__(self, path):
        self.db = sqlite3.connect(path)
        self.db.execute("CREATE TABLE IF NOT EXISTS mark (url TEXT PRIMARY KEY, tag TEXT NOT NULL)")
        self.db.commit()

    def save(self, url, tag):
        """Insert or change a bookmark."""
        self.db.execute("INSERT INTO mark VALUES (?, ?) ON CONFLICT (url) DO UPDATE SET tag = excluded.tag", (url, tag))
        self.db.commit()

    def tagged(self, tag):
        return [row[0] for row in self.db.execute("SELECT url FROM mark WHERE tag = ? ORDER BY url", (tag,))]

    def close(self):
        self.db.close()
