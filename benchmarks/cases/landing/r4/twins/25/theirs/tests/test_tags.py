import sqlite3
from migrate import migrate


def test_tags():
    db = sqlite3.connect(":memory:")
    migrate(db)
    db.execute("INSERT INTO article (title) VALUES ('A b')")
    assert db.execute("SELECT tags FROM article").fetchall() == [("",)]
