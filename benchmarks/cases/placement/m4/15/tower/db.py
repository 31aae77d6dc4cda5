import sqlite3

SCHEMA = """
create table aircraft (type text primary key, wake text, mtow integer);
create table spacing (lead text, follow text, nm real);
create table strip (callsign text primary key, type text);
"""

AIRCRAFT = [("A388", "J", 575), ("B744", "H", 397), ("A320", "M", 78), ("B738", "M", 79), ("C172", "L", 1)]
SPACING = [
    ("J", "H", 6), ("J", "M", 7), ("J", "L", 8),
    ("H", "H", 4), ("H", "M", 5), ("H", "L", 6),
    ("M", "L", 5),
]


def connect():
    con = sqlite3.connect(":memory:", check_same_thread=False)
    con.executescript(SCHEMA)
    con.executemany("insert into aircraft values (?, ?, ?)", AIRCRAFT)
    con.executemany("insert into spacing values (?, ?, ?)", SPACING)
    con.commit()
    return con


con = connect()


def wake(kind):
    row = con.execute("select wake from aircraft where type = ?", (kind,)).fetchone()
    return row[0] if row else "M"
