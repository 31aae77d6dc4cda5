from migrate import step


@step(3)
def slug(db):
    """Readable addresses."""
    db.execute("ALTER TABLE article ADD COLUMN slug TEXT")
    db.execute("UPDATE article SET slug = lower(replace(title, ' ', '-'))")
