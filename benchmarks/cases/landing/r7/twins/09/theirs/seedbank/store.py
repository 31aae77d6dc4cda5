import sqlite3
from contextlib import contextmanager


class Store:
    def __init__(self, path):
        self.db = sqlite3.connect(path)
        self.db.execute("CREATE TABLE IF NOT EXISTS seed (name TEXT PRIMARY KEY, grams INTEGER)")
        self.db.commit()

    @contextmanager
    def unit(self):
        """Everything inside happens, or nothing of it."""
        try:
            yield self
        except BaseException:
            self.db.rollback()
            raise
        self.db.commit()

    def save(self, name, grams):
        self.db.execute("INSERT OR REPLACE INTO seed VALUES (?, ?)", (name, grams))
        self.db.commit()

    def grams(self, name):
        row = self.db.execute("SELECT grams FROM seed WHERE name = ?", (name,)).fetchone()
        return row[0] if row else 0

    def close(self):
        self.db.close()
