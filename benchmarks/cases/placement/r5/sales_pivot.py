# pure
"""Keeps nothing: the database lives in memory for one report and is closed before the answer."""
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

QUERY = """
WITH total AS (SELECT region, sum(cents) AS cents, count(*) AS orders FROM sale GROUP BY region)
SELECT region, orders, cents, rank() OVER (ORDER BY cents DESC, region) AS place
FROM total ORDER BY place
"""


class Share:
    """An aggregate: the part of the largest value in the sum."""

    def __init__(self) -> None:
        self.values: list[int] = []

    def step(self, value: int) -> None:
        self.values.append(value)

    def finalize(self) -> float:
        whole = sum(self.values)
        return round(max(self.values) / whole, 3) if whole else 0.0


def load(database: sqlite3.Connection, rows: list[list]) -> None:
    database.create_aggregate("share", 1, Share)
    database.execute("CREATE TABLE sale (region TEXT, cents INTEGER CHECK (cents >= 0))")
    with database:
        database.executemany("INSERT INTO sale VALUES (?, ?)", rows)


class SalesPivot(GraphBusNode):
    """Ranks the regions of one day's sales."""

    @subscribe("/Sales/Day")
    def on_day(self, day: str, rows: list[list]) -> dict[str, object]:
        with closing(sqlite3.connect(":memory:")) as database:
            try:
                load(database, rows)
            except sqlite3.IntegrityError:
                return {"day": day, "error": "negative sale"}
            ranking = [list(row) for row in database.execute(QUERY)]
            (share,) = database.execute("SELECT share(cents) FROM sale").fetchone()
        return {"day": day, "ranking": ranking, "largest_share": share}
