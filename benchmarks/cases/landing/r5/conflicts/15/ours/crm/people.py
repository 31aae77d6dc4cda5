from crm.db import session


def add_person(file, name):
    with session(file) as conn:
        conn.execute("INSERT OR IGNORE INTO people VALUES (?)", (name,))
        conn.commit()


def names(file):
    with session(file) as conn:
        return [r[0] for r in conn.execute("SELECT name FROM people ORDER BY name")]
