# pure
"""The in-memory database is opened for one event and closed at its end."""
import sqlite3
from contextlib import closing
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

SCHEMA = "CREATE TABLE rain (gauge TEXT, hour INTEGER, mm REAL, PRIMARY KEY (gauge, hour))"
REPORT = """
    SELECT gauge, round(sum(mm), 2), max(mm), count(*) FILTER (WHERE mm > 0)
    FROM rain GROUP BY gauge ORDER BY 2 DESC, gauge
"""


@dataclass
class GaugeReport:
    gauge: str
    total: float
    heaviest: float
    wet_hours: int

    def as_dict(self) -> dict:
        kind = "heavy" if self.heaviest >= 10 else "moderate" if self.heaviest >= 2.5 else "light"
        return vars(self) | {"kind": kind}


@dataclass
class RainStore:
    path: str = ":memory:"

    def summarise(self, rows: list[tuple[str, int, float]]) -> list[GaugeReport]:
        with closing(sqlite3.connect(self.path)) as db, db:
            db.execute(SCHEMA)
            db.executemany("INSERT OR REPLACE INTO rain VALUES (?, ?, ?)", rows)
            return [GaugeReport(*row) for row in db.execute(REPORT)]


class Rainfall(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.store = RainStore()

    @subscribe("/Obs/RainBatch")
    def on_batch(self, rows: list[list]) -> list[dict]:
        clean = [(str(g), int(h), float(mm)) for g, h, mm in rows if mm >= 0]
        return [report.as_dict() for report in self.store.summarise(clean)]
