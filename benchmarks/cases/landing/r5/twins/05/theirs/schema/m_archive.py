from schema import step


@step(4)
def archive(conn):
    conn.execute("CREATE TABLE archive (id INTEGER, name TEXT, left_on TEXT)")
