import sqlite3

from schema import upgrade


def test_upgrade_twice():
    conn = sqlite3.connect(":memory:")
    upgrade(conn)
    upgrade(conn)
    conn.execute("INSERT INTO people (name, email) VALUES ('ann', 'a@x')")
