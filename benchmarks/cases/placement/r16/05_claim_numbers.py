# stateful
"""The rows are deleted after use, but the database in memory goes on counting its keys."""
import sqlite3

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
    CREATE TABLE line (id INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT NOT NULL, cents INTEGER NOT NULL);
"""


class ClaimNumbers(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._scratch = sqlite3.connect(":memory:", isolation_level=None)
        self._scratch.executescript(SCHEMA)

    @subscribe("/Claim/Filed")
    def on_claim(self, holder: str, items: dict[str, int]) -> dict[str, object]:
        db = self._scratch
        try:
            db.executemany("INSERT INTO line (item, cents) VALUES (?, ?)", items.items())
            rows = db.execute("SELECT id, item, cents FROM line ORDER BY cents DESC, item").fetchall()
        finally:
            db.execute("DELETE FROM line")
        return {
            "holder": holder,
            "total": sum(cents for _, _, cents in rows),
            "lines": [f"{key}/{item}" for key, item, _ in rows],
        }
