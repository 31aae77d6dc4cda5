import sqlite3
from contextlib import contextmanager


@contextmanager
def session(file):
    conn = sqlite3.connect(file)
    conn.execute("CREATE TABLE IF NOT EXISTS people (name TEXT UNIQUE)")
    try:
        yield conn
        conn.commit()
    finally:
        conn.close()
