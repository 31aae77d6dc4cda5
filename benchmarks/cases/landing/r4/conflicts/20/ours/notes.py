"""Notes in SQLite."""
import sqlite3

SCHEMA = """
CREATE TABLE note (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    changed_at TEXT
)
"""


def connect(path=":memory:"):
    db = sqlite3.connect(path)
    db.execute(SCHEMA)
    return db


def add(db, title, day, body=""):
    db.execute("INSERT INTO note (title, body, created_at) VALUES (?, ?, ?)", (title, body, day))


def on_day(db, day):
    rows = db.execute("SELECT title FROM note WHERE created_at = ? ORDER BY id", (day,))
    return [title for title, in rows]


def search(db, text):
    rows = db.execute("SELECT title FROM note WHERE title LIKE ? OR body LIKE ?", (f"%{text}%",) * 2)
    return sorted(title for title, in rows)
