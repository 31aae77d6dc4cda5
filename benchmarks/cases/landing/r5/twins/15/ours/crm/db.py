import sqlite3
from contextlib import contextmanager


@contextmanager
def session(file):
    """What the block does not commit is lost: half-done edits were kept."""
    conn = sqlite3.connect(file)
    conn.execute("CREATE TABLE IF NOT EXISTS people (name TEXT UNIQUE)")
    try:
        yield conn
    finally:
        conn.close()
