# stateful
"""Keeps the connection, whose total_changes counts the rows of all the lists since it was opened."""
from __future__ import annotations

import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TEMP TABLE pick (article TEXT, aisle INTEGER, pieces INTEGER);
"""
AISLES = {"lamp": 3, "cable": 1, "fuse": 1, "switch": 2, "socket": 2}


class PickLists(GraphBusNode):
    """Uses SQL for sorting and grouping one order; the table is dropped with each answer."""

    def __init__(self) -> None:
        super().__init__()
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._db.row_factory = sqlite3.Row

    def _fill(self, order: list[str]) -> int:
        self._db.executemany(
            "INSERT INTO pick VALUES (?, ?, 1)",
            [(article, AISLES[article]) for article in order if article in AISLES],
        )
        return self._db.total_changes

    def _walk(self) -> list[str]:
        query = """
            SELECT aisle, article, sum(pieces) AS pieces FROM pick
            GROUP BY aisle, article ORDER BY aisle, article
        """
        with closing(self._db.execute(query)) as rows:
            return [f"{row['aisle']:02d} {row['article']} x{row['pieces']}" for row in rows]

    @subscribe("/Orders")
    def on_order(self, articles: list[str]) -> dict[str, object]:
        self._db.executescript(SCHEMA)
        try:
            written = self._fill(articles)
            return {"walk": self._walk(), "written": written, "complete": written >= len(articles)}
        finally:
            self._db.execute("DROP TABLE temp.pick")
