import sqlite3
from schema import upgrade

conn = sqlite3.connect(":memory:")
upgrade(conn)
tables = {r[0] for r in conn.execute("SELECT name FROM sqlite_master")}
assert "archive" in tables, tables
