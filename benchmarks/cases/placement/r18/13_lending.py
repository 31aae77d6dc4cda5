# stateful
"""The cached helper opens an in-memory database once per process, and every loan is a row in it."""
from __future__ import annotations

import sqlite3
from datetime import date, timedelta
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE book (isbn TEXT PRIMARY KEY, title TEXT, copies INTEGER);
CREATE TABLE loan (isbn TEXT, reader TEXT, due TEXT);
"""
BOOKS = [("111", "Moby Dick", 2), ("222", "Emma", 1), ("333", "Walden", 3)]


@lru_cache
def database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    connection.executemany("INSERT INTO book VALUES (?, ?, ?)", BOOKS)
    return connection


def free_copies(isbn: str, day: str) -> int:
    row = database().execute(
        "SELECT copies - (SELECT count(*) FROM loan WHERE loan.isbn = book.isbn AND due >= ?) FROM book WHERE isbn = ?",
        (day, isbn),
    ).fetchone()
    return row[0] if row else 0


def lend(isbn: str, reader: str, day: str, weeks: int) -> str:
    due = (date.fromisoformat(day) + timedelta(weeks=weeks)).isoformat()
    with database() as connection:
        connection.execute("INSERT INTO loan VALUES (?, ?, ?)", (isbn, reader, due))
    return due


class Library(GraphBusNode):
    @subscribe("/Library/Request")
    def on_request(self, reader: str, isbn: str, day: str, weeks: int) -> dict[str, object]:
        if free_copies(isbn, day) < 1:
            return {"reader": reader, "status": "not available"}
        return {"reader": reader, "status": "lent", "due": lend(isbn, reader, day, weeks)}

    @subscribe("/Library/Return")
    def on_return(self, reader: str, isbn: str, day: str) -> dict[str, object]:
        with database() as connection:
            rows = connection.execute("SELECT due FROM loan WHERE isbn = ? AND reader = ? ORDER BY due", (isbn, reader)).fetchall()
            connection.execute("DELETE FROM loan WHERE isbn = ? AND reader = ?", (isbn, reader))
        late = [(date.fromisoformat(day) - date.fromisoformat(due)).days for (due,) in rows if due < day]
        return {"reader": reader, "returned": len(rows), "fine": f"{sum(late) * 0.2:.2f}"}
