"""Notes in SQLite."""
import sqlite3

SCHEMA = """
CREATE TABLE IF NOT EXISTS note (
    id INTEGER PRIMARY KEY,
    body TEXT NOT NULL,
    tag TEXT NOT NULL DEFAULT ''
)
"""


def open_store(path=":memory:"):
    conn = sqlite3.connect(path)
    conn.execute(SCHEMA)
    return conn


def add(conn, body, tag=""):
    cur = conn.execute("INSERT INTO note (body, tag) VALUES (?, ?)", (body, tag))
    conn.commit()
    return cur.lastrowid


def find(conn, word="", tag=None, limit=None):
    """Notes with the word in them, newest first, as (id, body, tag)."""
    sql = "SELECT id, body, tag FROM note WHERE body LIKE ?"
    args = ["%" + word + "%"]
    if tag is not None:
        sql += " AND tag = ?"
        args.append(tag)
    sql += " ORDER BY id DESC LIMIT ?"
    args.append(-1 if limit is None else limit)
    return conn.execute(sql, args).fetchall()
