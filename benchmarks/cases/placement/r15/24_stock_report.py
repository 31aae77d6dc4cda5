# pure
"""Keeps nothing: each event has a database of its own, in memory, that is closed at its end."""
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE move (id INTEGER PRIMARY KEY AUTOINCREMENT, article TEXT NOT NULL, pieces INTEGER NOT NULL);
CREATE VIEW stock AS SELECT article, sum(pieces) AS pieces, max(id) AS latest FROM move GROUP BY article;
"""

QUERY = """
SELECT article, pieces, latest, rank() OVER (ORDER BY pieces DESC) AS place
FROM stock WHERE pieces <> 0 ORDER BY place, article
"""


def parse_move(text: str) -> tuple[str, int]:
    """'bolt +5' or 'bolt -2'."""
    name, _, number = text.strip().rpartition(" ")
    try:
        return name.lower(), int(number)
    except ValueError:
        return text.strip().lower(), 0


class StockReport(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._dsn = ":memory:"

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._dsn)
        db.row_factory = sqlite3.Row
        db.create_function("shown", 1, lambda count: f"{count:+d}", deterministic=True)
        db.executescript(SCHEMA)
        return db

    @subscribe("/Warehouse/Moves")
    def on_moves(self, shelf: str, moves: list[str]) -> dict[str, object]:
        with closing(self._open()) as db:
            with db:
                db.executemany("INSERT INTO move (article, pieces) VALUES (?, ?)", map(parse_move, moves))
            rows = db.execute(QUERY).fetchall()
            total = db.execute("SELECT shown(coalesce(sum(pieces), 0)) FROM move").fetchone()[0]
        return {
            "shelf": shelf,
            "total": total,
            "rows": [f"{row['place']}. {row['article']}: {row['pieces']} (#{row['latest']})" for row in rows],
        }
