# pure
"""Loads each list into a database in memory that is closed again."""
import csv
import io
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

QUERY = """
SELECT id, item FROM object
WHERE year BETWEEN :first AND :last
ORDER BY year, id
"""


def rows(text: str) -> list[tuple[int, str, int | None]]:
    reader = csv.DictReader(io.StringIO(text), delimiter=";")
    return [(int(r["id"]), r["item"], int(r["year"]) if r["year"] else None) for r in reader]


def load(db: sqlite3.Connection, items: list[tuple[int, str, int | None]]) -> None:
    db.execute("CREATE TABLE object (id INTEGER PRIMARY KEY, item TEXT, year INTEGER)")
    db.executemany("INSERT INTO object VALUES (?, ?, ?)", items)


class Museum(GraphBusNode):
    @subscribe("/List")
    def on_list(self, text: str, century: int) -> dict[str, object]:
        span = {"first": (century - 1) * 100 + 1, "last": century * 100}
        with closing(sqlite3.connect(":memory:")) as db:
            load(db, rows(text))
            found = db.execute(QUERY, span).fetchall()
            undated, = db.execute("SELECT count(*) FROM object WHERE year IS NULL").fetchone()
        return {"found": [f"{n:04d} {item}" for n, item in found], "undated": undated}
