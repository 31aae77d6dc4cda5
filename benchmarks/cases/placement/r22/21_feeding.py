# stateful
"""Weights go into a database in memory that a round reads."""
import sqlite3

from graphbus_core import GraphBusNode, subscribe

RATION = {"lynx": 0.06, "otter": 0.2, "ibex": 0.03}
SCHEMA = "CREATE TABLE weight (animal TEXT PRIMARY KEY, kilos REAL NOT NULL)"
UPSERT = "INSERT INTO weight VALUES (?, ?) ON CONFLICT (animal) DO UPDATE SET kilos = excluded.kilos"


def connect() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.execute(SCHEMA)
    return db


class Feeding(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.db = connect()

    def _ration(self, animal: str, kilos: float) -> float:
        return round(kilos * RATION.get(animal, 0.05), 2)

    @subscribe("/Weighing")
    def on_weighing(self, animal: str, kilos: float) -> dict[str, object]:
        with self.db:
            self.db.execute(UPSERT, (animal, kilos))
        return {"animal": animal, "ration": self._ration(animal, kilos)}

    @subscribe("/Round")
    def on_round(self, keeper: str) -> dict[str, object]:
        rows = self.db.execute("SELECT animal, kilos FROM weight ORDER BY animal")
        portions = {animal: self._ration(animal, kilos) for animal, kilos in rows}
        return {"keeper": keeper, "portions": portions, "total": round(sum(portions.values()), 2)}
