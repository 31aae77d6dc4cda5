# pure
"""Keeps nothing: the SQLite database in memory is opened and closed within the event."""
import csv
import io
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

SCHEMA = "CREATE TABLE entry (day TEXT NOT NULL, account TEXT NOT NULL, cents INTEGER NOT NULL)"
QUERIES = {
    "balance": "SELECT account, SUM(cents) FROM entry GROUP BY account ORDER BY account",
    "daily": "SELECT day, SUM(cents) FROM entry GROUP BY day ORDER BY day",
    "largest": "SELECT account, cents FROM entry ORDER BY ABS(cents) DESC, account LIMIT 3",
}


def rows(text: str) -> list[tuple[str, str, int]]:
    reader = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    return [(r["day"], r["account"], round(float(r["amount"]) * 100)) for r in reader]


def load(db: sqlite3.Connection, entries: list[tuple[str, str, int]]) -> int:
    db.execute(SCHEMA)
    db.executemany("INSERT INTO entry VALUES (?, ?, ?)", entries)
    return db.execute("SELECT COUNT(*) FROM entry").fetchone()[0]


class LedgerQuery(GraphBusNode):
    """Answers a question about an uploaded ledger."""

    @subscribe("/Ledger/Question")
    def on_question(self, name: str, text: str) -> dict[str, object]:
        query = QUERIES.get(name)
        if query is None:
            return {"error": f"unknown question {name}"}
        try:
            entries = rows(text)
        except (KeyError, ValueError, TypeError) as exc:
            return {"error": type(exc).__name__}
        with closing(sqlite3.connect(":memory:")) as db:
            count = load(db, entries)
            return {"entries": count, "rows": db.execute(query).fetchall()}
