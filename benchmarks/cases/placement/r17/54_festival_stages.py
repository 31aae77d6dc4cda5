# pure
"""Keeps nothing: the database is opened in memory for one event and closed with it."""
from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from typing import Any, Iterator

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE gig (id INTEGER PRIMARY KEY AUTOINCREMENT, act TEXT, stage TEXT, starts TEXT, ends TEXT);
CREATE TABLE log (gig INTEGER, note TEXT);
CREATE TRIGGER noted AFTER INSERT ON gig WHEN new.starts >= new.ends
BEGIN INSERT INTO log VALUES (new.id, new.act || ' ends before it starts'); END;
"""
CLASHES = """
SELECT a.act AS one, b.act AS two, overlap(a.starts, a.ends, b.starts, b.ends) AS minutes
FROM gig a JOIN gig b ON a.stage = b.stage AND a.id < b.id
WHERE minutes > 0 ORDER BY minutes DESC, one, two
"""


def overlap(*edges: str) -> int:
    a, b, c, d = map(datetime.fromisoformat, edges)
    return max(min(b, d) - max(a, c), timedelta(0)) // timedelta(minutes=1)


class Longest:
    """An aggregate: SQLite makes one object a group."""

    def __init__(self) -> None:
        self.best = ("", timedelta(0))

    def step(self, act: str, starts: str, ends: str) -> None:
        length = datetime.fromisoformat(ends) - datetime.fromisoformat(starts)
        if length > self.best[1]:
            self.best = (act, length)

    def finalize(self) -> str:
        return f"{self.best[0]} ({self.best[1].total_seconds() / 60:.0f} min)"


class FestivalStages(GraphBusNode):
    def _rows(self, gigs: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
        for gig in gigs:
            starts = datetime.fromisoformat(gig["starts"])
            ends = starts + timedelta(minutes=int(gig.get("minutes", 45)))
            yield gig["act"], gig.get("stage", "main"), starts.isoformat(), ends.isoformat()

    @subscribe("/Programmes")
    def on_programme(self, gigs: list[dict[str, Any]]) -> dict[str, object]:
        with closing(sqlite3.connect(":memory:")) as db:
            db.executescript(SCHEMA)
            db.create_function("overlap", 4, overlap, deterministic=True)
            db.create_aggregate("longest", 3, Longest)
            try:
                with db:
                    cursor = db.executemany(
                        "INSERT INTO gig (act, stage, starts, ends) VALUES (?, ?, ?, ?)", self._rows(gigs)
                    )
            except (KeyError, ValueError) as problem:
                return {"error": type(problem).__name__, "written": db.total_changes}
            return {
                "gigs": cursor.rowcount,
                "written": db.total_changes,
                "clashes": [list(row) for row in db.execute(CLASHES)],
                "longest": dict(db.execute("SELECT stage, longest(act, starts, ends) FROM gig GROUP BY stage")),
                "notes": [note for (note,) in db.execute("SELECT note FROM log ORDER BY gig")],
            }
