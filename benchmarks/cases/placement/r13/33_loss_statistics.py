# pure
"""Keeps nothing: the in-memory database is opened and closed within each event."""
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

SCHEMA = "CREATE TABLE loss (kind TEXT, year INTEGER, cents INTEGER)"
QUERY = """
    SELECT kind, COUNT(*), SUM(cents), MAX(cents)
    FROM loss WHERE year >= ? GROUP BY kind ORDER BY SUM(cents) DESC, kind
"""


def load(connection: sqlite3.Connection, rows: list[list[object]]) -> int:
    with connection:
        connection.execute(SCHEMA)
        connection.executemany("INSERT INTO loss VALUES (?, ?, ?)", rows)
    return connection.total_changes


class LossStatistics(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.path = ":memory:"

    @subscribe("/Reports/Loss")
    def report(self, since: int, rows: list[list[object]]) -> dict[str, object]:
        with closing(sqlite3.connect(self.path)) as connection:
            loaded = load(connection, rows)
            found = connection.execute(QUERY, (since,)).fetchall()
        table = [{"kind": k, "count": n, "sum": s, "largest": m} for k, n, s, m in found]
        return {"loaded": loaded, "table": table}
