"""The database of the room bookings."""
import sqlite3

SCHEMA = """
CREATE TABLE IF NOT EXISTS booking (
    room TEXT NOT NULL,
    day TEXT NOT NULL,
    owner TEXT NOT NULL DEFAULT '',
    hours INTEGER NOT NULL,
    UNIQUE (room, day)
);
"""


def connect(path=":memory:"):
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    connection.executescript(SCHEMA)
    return connection


def book(connection, room, day, hours, owner=""):
    with connection:
        connection.execute("INSERT INTO booking (room, day, owner, hours) VALUES (?, ?, ?, ?)", (room, day, owner, hours))


def free(connection, room, day):
    found = connection.execute("SELECT 1 FROM booking WHERE room = ? AND day = ?", (room, day))
    return found.fetchone() is None
