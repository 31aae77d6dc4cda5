import sqlite3

from schema.m_archive import archive


def test_archive():
    conn = sqlite3.connect(":memory:")
    archive(conn)
    conn.execute("INSERT INTO archive VALUES (1, 'ann', '2024-05-01')")
