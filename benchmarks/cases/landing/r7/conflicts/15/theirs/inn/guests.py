import sqlite3

SCHEMA = """
CREATE TABLE guest (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT
);
CREATE VIEW present AS SELECT id, name, email FROM guest;
"""


class Guests:
    def __init__(self, path=":memory:"):
        self.db = sqlite3.connect(path)
        self.db.executescript(SCHEMA)

    def add(self, name, email=None):
        with self.db:
            return self.db.execute("INSERT INTO guest (name, email) VALUES (?, ?)", (name, email)).lastrowid

    def remove(self, guest_id):
        with self.db:
            self.db.execute("DELETE FROM guest WHERE id = ?", (guest_id,))

    def names(self):
        return [name for (name,) in self.db.execute("SELECT name FROM present ORDER BY name")]
