# pure
"""Keeps nothing: the database lives in memory for the length of one event and is closed again."""
from __future__ import annotations

import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

SCHEMA = "CREATE TABLE sale (region TEXT, product TEXT, quarter INTEGER, amount REAL)"
QUERY = """
SELECT {key},
       sum(CASE quarter WHEN 1 THEN amount ELSE 0 END),
       sum(CASE quarter WHEN 2 THEN amount ELSE 0 END),
       sum(CASE quarter WHEN 3 THEN amount ELSE 0 END),
       sum(CASE quarter WHEN 4 THEN amount ELSE 0 END)
FROM sale WHERE clean(region) <> 'test' GROUP BY {key} ORDER BY 1
"""
KEYS = {"region": "clean(region)", "product": "product", "both": "clean(region) || '/' || product"}


def clean(text: str) -> str:
    return " ".join(text.lower().replace("-", " ").split())


def connect() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.create_function("clean", 1, clean, deterministic=True)
    connection.execute(SCHEMA)
    return connection


def pivot(connection: sqlite3.Connection, key: str) -> dict[str, list[float]]:
    rows = connection.execute(QUERY.format(key=KEYS[key])).fetchall()
    return {name: [round(value, 2) for value in quarters] for name, *quarters in rows}


class SalesReport(GraphBusNode):
    @subscribe("/Sales/Batch")
    def on_batch(self, rows: list[list], key: str) -> dict[str, object]:
        if key not in KEYS:
            return {"error": f"cannot group by {key}", "known": sorted(KEYS)}
        with closing(connect()) as connection:
            with connection:
                connection.executemany("INSERT INTO sale VALUES (?, ?, ?, ?)", rows)
            table = pivot(connection, key)
            (inserted,) = connection.execute("SELECT count(*) FROM sale").fetchone()
        return {"table": table, "rows": inserted, "total": round(sum(map(sum, table.values())), 2)}
