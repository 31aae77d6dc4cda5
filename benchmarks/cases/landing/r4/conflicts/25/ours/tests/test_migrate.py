import sqlite3
from migrate import migrate


def test_migrate_twice():
    db = sqlite3.connect(":memory:")
    migrate(db)
    migrate(db)
    columns = [row[1] for row in db.execute("PRAGMA table_info(article)")]
    assert columns[:3] == ["id", "title", "author"]
