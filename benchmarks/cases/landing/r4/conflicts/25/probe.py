import sqlite3
from migrate import migrate

db = sqlite3.connect(":memory:")
migrate(db)
columns = {row[1] for row in db.execute("PRAGMA table_info(article)")}
assert {"slug", "tags"} <= columns, columns
