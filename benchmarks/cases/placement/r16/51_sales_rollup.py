# pure
"""Keeps nothing: the database lives in memory for one event and is closed at its end."""
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
    CREATE TABLE sale (id INTEGER PRIMARY KEY AUTOINCREMENT, region TEXT, product TEXT, cents INTEGER);
    CREATE INDEX sale_region ON sale (region);
"""
TOTALS = """
    SELECT region, COUNT(*) AS sales, SUM(cents) AS cents, median(cents) AS middle
    FROM sale GROUP BY region ORDER BY cents DESC, region
"""
BEST = """
    SELECT region, product FROM (
        SELECT region, product, ROW_NUMBER() OVER (PARTITION BY region ORDER BY SUM(cents) DESC, product) AS place
        FROM sale GROUP BY region, product
    ) WHERE place = 1
"""


class Median:
    def __init__(self) -> None:
        self.values: list[int] = []

    def step(self, value: int | None) -> None:
        if value is not None:
            self.values.append(value)

    def finalize(self) -> float | None:
        ordered = sorted(self.values)
        if not ordered:
            return None
        half = len(ordered) // 2
        return (ordered[half] + ordered[~half]) / 2


def opened() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    db.create_aggregate("median", 1, Median)
    db.executescript(SCHEMA)
    return db


class SalesRollup(GraphBusNode):
    @subscribe("/Sales/Day")
    def on_day(self, rows: list[list[str | int]]) -> dict[str, object]:
        with closing(opened()) as db:
            with db:
                last = 0
                for row in rows:
                    last = db.execute("INSERT INTO sale (region, product, cents) VALUES (?, ?, ?)", row).lastrowid
            best = {row["region"]: row["product"] for row in db.execute(BEST)}
            return {
                "rows": last,
                "regions": [
                    {"region": r["region"], "sales": r["sales"], "cents": r["cents"], "median": r["middle"],
                     "best": best[r["region"]]}
                    for r in db.execute(TOTALS)
                ],
            }
