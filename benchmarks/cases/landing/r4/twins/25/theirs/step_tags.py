from migrate import step


@step(4)
def tags(db):
    """Tags, separated by commas."""
    db.execute("ALTER TABLE article ADD COLUMN tags TEXT NOT NULL DEFAULT ''")
