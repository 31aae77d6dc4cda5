# stateful
"""The store keeps the strokes in an in-memory database for as long as the node lives; a stroke in the same cell is ignored."""
import sqlite3
from dataclasses import dataclass, field
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


class Store(Protocol):
    def add(self, cell: str, kiloampere: float) -> int: ...


@dataclass
class SqlStore:
    db: sqlite3.Connection = field(default_factory=lambda: sqlite3.connect(":memory:", check_same_thread=False))

    def __post_init__(self) -> None:
        self.db.execute("CREATE TABLE IF NOT EXISTS stroke (cell TEXT PRIMARY KEY, ka REAL)")

    def add(self, cell: str, kiloampere: float) -> int:
        with self.db:
            done = self.db.execute("INSERT OR IGNORE INTO stroke VALUES (?, ?)", (cell, kiloampere))
        return done.rowcount


@dataclass(frozen=True)
class Stroke:
    lat: float
    lon: float
    kiloampere: float

    @property
    def cell(self) -> str:
        return f"{self.lat // 0.25 * 0.25:.2f}/{self.lon // 0.25 * 0.25:.2f}"


class Lightning(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.store: Store = SqlStore()

    @subscribe("/Obs/Stroke")
    def on_stroke(self, lat: float, lon: float, kiloampere: float) -> dict | None:
        stroke = Stroke(lat, lon, kiloampere)
        if abs(kiloampere) < 3:
            return None
        return {"cell": stroke.cell, "push": self.store.add(stroke.cell, abs(kiloampere)) == 1}
