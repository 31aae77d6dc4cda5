import sqlite3

from schema import upgrade


def test_phone():
    conn = sqlite3.connect(":memory:")
    upgrade(conn)
    conn.execute("INSERT INTO people (name, phone) VALUES ('ann', '112')")
