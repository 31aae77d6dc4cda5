# pure
"""A throwaway database is filled from one event, asked, and closed."""
import sqlite3
from contextlib import contextmanager

from graphbus_core import GraphBusNode, subscribe

QUERY = """
SELECT age / 3 AS grp, COUNT(*) AS n, AVG(litres) AS mean, MIN(litres) AS low
FROM cow GROUP BY grp ORDER BY grp
"""


@contextmanager
def scratch(rows):
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    try:
        db.execute("CREATE TABLE cow (tag TEXT, age INTEGER, litres REAL)")
        db.executemany("INSERT INTO cow VALUES (?, ?, ?)", rows)
        yield db
    finally:
        db.close()


class HerdReport(GraphBusNode):
    labels = ("heifers", "prime", "old")

    def label(self, group: int) -> str:
        return self.labels[min(group, len(self.labels) - 1)]

    @subscribe("/dairy/milking")
    def on_milking(self, animals: list, threshold: float) -> dict:
        with scratch(animals) as db:
            groups = [
                {"group": self.label(r["grp"]), "cows": r["n"], "mean": round(r["mean"], 1), "low": r["low"]}
                for r in db.execute(QUERY)
            ]
            poor = [
                tag for (tag,) in db.execute(
                    "SELECT tag FROM cow WHERE litres < ? ORDER BY litres, tag", (threshold,))
            ]
            (total,) = db.execute("SELECT TOTAL(litres) FROM cow").fetchone()
        return {"groups": groups, "see_vet": poor, "total": round(total, 1)}
