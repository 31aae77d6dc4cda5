from schema import step


@step(1)
def people(conn):
    conn.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)")


@step(2)
def email(conn):
    conn.execute("ALTER TABLE people ADD COLUMN email TEXT")
