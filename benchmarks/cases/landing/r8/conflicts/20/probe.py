import sqlite3

import migrations

db = sqlite3.connect(":memory:")
migrations.migrate(db)
columns = [row[1] for row in db.execute("pragma table_info(users)")]
assert "phone" in columns, columns
indexes = [row[1] for row in db.execute("pragma index_list(users)")]
assert "users_by_email" in indexes, indexes
