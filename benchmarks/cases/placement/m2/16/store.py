import sqlite3
from contextlib import contextmanager

SCHEMA = """
CREATE TABLE material(code TEXT PRIMARY KEY, density REAL, cents_per_kg INTEGER);
CREATE TABLE tool(serial TEXT PRIMARY KEY, station TEXT, cycles INTEGER DEFAULT 0);
CREATE TABLE bom(part TEXT, child TEXT, qty INTEGER, PRIMARY KEY(part, child));
INSERT INTO material VALUES ('AL6061', 2.70, 410), ('S235', 7.85, 95), ('POM', 1.41, 320), ('CUZN', 8.5, 780);
INSERT INTO bom VALUES ('pump','housing',1), ('pump','rotor',1), ('pump','screw',8), ('rotor','vane',5),
  ('rotor','shaft',1), ('valve','body',1), ('valve','screw',4), ('valve','spring',2), ('skid','pump',2), ('skid','valve',3);
"""

db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
db.row_factory = sqlite3.Row
db.executescript(SCHEMA)


@contextmanager
def trial():
    db.execute("SAVEPOINT trial")
    try:
        yield db
    finally:
        db.execute("ROLLBACK TO trial")
        db.execute("RELEASE trial")
