# stateful
"""The rows are deleted after every event, but SQLite remembers the last AUTOINCREMENT number."""
import sqlite3
from contextlib import closing
from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE loan (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    reader TEXT NOT NULL,
    title TEXT NOT NULL,
    due TEXT NOT NULL
);
"""
LOAN_DAYS = {"book": 28, "dvd": 7, "magazine": 14}


class LoanReceipt(GraphBusNode):
    """Sorts the titles of one visit in a scratch table and prints the slip."""

    def __init__(self) -> None:
        super().__init__()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.executescript(SCHEMA)

    @subscribe("/Library/Checkout")
    def on_checkout(self, reader: str, day: str, items: dict[str, str]) -> dict[str, object]:
        start = date.fromisoformat(day)
        rows = [
            (reader, title, (start + timedelta(days=LOAN_DAYS.get(kind, 21))).isoformat())
            for title, kind in items.items()
        ]
        with closing(self._db.cursor()) as cursor:
            cursor.executemany("INSERT INTO loan (reader, title, due) VALUES (?, ?, ?)", rows)
            cursor.execute("SELECT id, title, due FROM loan WHERE reader = ? ORDER BY due, title", (reader,))
            slip = [f"{number:05d} {title} until {due}" for number, title, due in cursor]
            cursor.execute("DELETE FROM loan")
        self._db.commit()
        return {"reader": reader, "slip": slip}
