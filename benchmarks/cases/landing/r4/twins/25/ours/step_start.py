from migrate import step


@step(1)
def tables(db):
    db.execute("CREATE TABLE article (id INTEGER PRIMARY KEY, title TEXT)")


@step(2)
def author(db):
    db.execute("ALTER TABLE article ADD COLUMN author TEXT")
