# pure
"""Keeps nothing: each report opens an empty in-memory database, fills and queries it, and closes it."""
import sqlite3
import statistics
from collections.abc import Iterator
from contextlib import closing, contextmanager

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE reading (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hour INTEGER NOT NULL CHECK (hour BETWEEN 0 AND 23),
    kwh REAL NOT NULL CHECK (kwh >= 0)
);
CREATE TABLE rejected (reason TEXT PRIMARY KEY, times INTEGER NOT NULL DEFAULT 1);
CREATE VIEW tariff AS
    SELECT CASE WHEN hour BETWEEN 6 AND 21 THEN 'day' ELSE 'night' END AS name, hour, kwh FROM reading;
"""
CENTS = {"day": 31.5, "night": 24.2}


class Median:
    """The aggregate SQLite lacks."""

    def __init__(self) -> None:
        self.values: list[float] = []

    def step(self, value: float | None) -> None:
        if value is not None:
            self.values.append(value)

    def finalize(self) -> float | None:
        return statistics.median(self.values) if self.values else None


@contextmanager
def scratch() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.row_factory = sqlite3.Row
        db.create_aggregate("median", 1, Median)
        db.executescript(SCHEMA)
        yield db


def store(db: sqlite3.Connection, hour: int, kwh: float) -> int | None:
    try:
        return db.execute("INSERT INTO reading (hour, kwh) VALUES (?, ?)", (hour, kwh)).lastrowid
    except sqlite3.IntegrityError as error:
        db.execute(
            "INSERT INTO rejected (reason) VALUES (?) ON CONFLICT (reason) DO UPDATE SET times = times + 1",
            (type(error).__name__,),
        )
        return None


class EnergyReport(GraphBusNode):
    QUERY = "SELECT name, count(*) AS n, sum(kwh) AS total, median(kwh) AS mid FROM tariff GROUP BY name ORDER BY name"

    @subscribe("/Energy/DayClosed")
    def on_day(self, meter: str, hours: list[int], kwh: list[float]) -> dict[str, object]:
        with scratch() as db:
            numbers = [store(db, hour, value) for hour, value in zip(hours, kwh)]
            parts = {
                row["name"]: {
                    "readings": row["n"],
                    "median": round(row["mid"], 3),
                    "euro": f"{row['total'] * CENTS[row['name']] / 100:.2f}",
                }
                for row in db.execute(self.QUERY)
            }
            rejected = db.execute("SELECT coalesce(sum(times), 0) FROM rejected").fetchone()[0]
        last = max(filter(None, numbers), default=0)
        return {"meter": meter, "parts": parts, "rejected": rejected, "last_number": last}
