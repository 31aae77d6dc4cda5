import sqlite3
from migrate import migrate


def test_slug():
    db = sqlite3.connect(":memory:")
    migrate(db)
    db.execute("INSERT INTO article (title, slug) VALUES ('A b', 'a-b')")
    assert db.execute("SELECT slug FROM article").fetchall() == [("a-b",)]
