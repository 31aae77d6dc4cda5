# stateful
"""Keeps the sequence of a database in memory: the rows are deleted after each count, the running number is not."""
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE ballot (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    choice TEXT NOT NULL,
    valid INTEGER NOT NULL
)
"""


class BallotReceipts(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._db = sqlite3.connect(":memory:")
        self._db.execute(SCHEMA)

    def _count(self, ballots: list[str]) -> tuple[list[tuple[str, int]], list[int]]:
        with self._db, closing(self._db.cursor()) as cursor:
            cursor.executemany(
                "INSERT INTO ballot (choice, valid) VALUES (?, ?)",
                [(ballot.strip().lower(), int(bool(ballot.strip()))) for ballot in ballots],
            )
            cursor.execute("SELECT choice, count(*) FROM ballot WHERE valid GROUP BY choice ORDER BY 2 DESC, 1")
            result = cursor.fetchall()
            cursor.execute("SELECT id FROM ballot WHERE NOT valid ORDER BY id")
            spoilt = [row[0] for row in cursor.fetchall()]
            cursor.execute("DELETE FROM ballot")
        return result, spoilt

    @subscribe("/Election/BoxOpened")
    def on_box(self, district: str, ballots: list[str]) -> dict[str, object]:
        result, spoilt = self._count(ballots)
        winner = result[0][0] if result else None
        return {"district": district, "winner": winner, "result": dict(result), "spoilt": spoilt}
