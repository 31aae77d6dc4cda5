# pure
"""A database in memory is opened, filled and closed within each event."""
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

_SCHEMA = """
CREATE TABLE sale(day TEXT NOT NULL, region TEXT NOT NULL, cents INTEGER NOT NULL);
CREATE INDEX sale_region ON sale(region);
"""
_REPORT = """
SELECT region, COUNT(*) AS sales, SUM(cents) AS cents, MAX(cents) AS best
FROM sale
WHERE day BETWEEN :first AND :last
GROUP BY region
ORDER BY cents DESC, region
"""


def report(rows: list[tuple[str, str, int]], first: str, last: str) -> list[dict[str, object]]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.row_factory = sqlite3.Row
        db.executescript(_SCHEMA)
        with db:
            db.executemany("INSERT INTO sale VALUES (?, ?, ?)", rows)
        return [dict(row) for row in db.execute(_REPORT, {"first": first, "last": last})]


class SalesReport(GraphBusNode):
    @subscribe("/Sales/Batch")
    def on_event(
        self, batch: str, first: str, last: str, rows: list[tuple[str, str, int]]
    ) -> dict[str, object]:
        try:
            lines = report(rows, first, last)
        except sqlite3.Error as error:
            return {"batch": batch, "error": type(error).__name__}
        return {"batch": batch, "regions": lines}
