# pure
"""Loads the event's rows into a database in memory that lives for this event only; keeps nothing."""
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
create table movement (
    id integer primary key autoincrement,
    sku text not null,
    place text not null,
    pieces integer not null
)
"""
REPORT = """
select sku, sum(pieces) as stock, count(distinct place) as places
from movement group by sku having sum(pieces) <> 0 order by stock desc, sku
"""
NEGATIVE = "select sku, place from movement group by sku, place having sum(pieces) < 0 order by sku, place"


def _parse(line: str) -> tuple[str, str, int] | None:
    parts = [part.strip() for part in line.split("|")]
    if len(parts) != 3 or not parts[2].lstrip("+-").isdigit():
        return None
    return parts[0].upper(), parts[1] or "main", int(parts[2])


class StockReport(GraphBusNode):
    @subscribe("/Stock/Movements")
    def on_movements(self, lines: list[str]) -> dict:
        rows = [row for row in map(_parse, lines) if row is not None]
        with closing(sqlite3.connect(":memory:")) as db:
            db.execute(SCHEMA)
            db.executemany("insert into movement (sku, place, pieces) values (?, ?, ?)", rows)
            stock = [dict(zip(("sku", "stock", "places"), row)) for row in db.execute(REPORT)]
            negative = [f"{sku}@{place}" for sku, place in db.execute(NEGATIVE)]
            last = db.execute("select coalesce(max(id), 0) from movement").fetchone()[0]
        return {"stock": stock, "negative": negative, "rows": last, "skipped": len(lines) - last}
