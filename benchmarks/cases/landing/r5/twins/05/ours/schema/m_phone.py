from schema import step


@step(3)
def phone(conn):
    conn.execute("ALTER TABLE people ADD COLUMN phone TEXT")
