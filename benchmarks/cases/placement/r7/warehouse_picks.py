# stateful
"""The stock lives in an in-memory database of the node and shrinks with each pick."""
import sqlite3
from contextlib import closing
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
create table shelf (sku text primary key, aisle text not null, units integer not null check (units >= 0));
insert into shelf values ('bolt-8', 'A1', 40), ('bolt-10', 'A2', 25), ('nut-8', 'A1', 60), ('plate', 'C7', 6);
"""


@dataclass(frozen=True)
class Carton:
    code: str
    grams: int


CARTONS = [Carton("XS", 500), Carton("S", 2000), Carton("M", 5000), Carton("L", 12_000)]
GRAMS = {"bolt": 45, "nut": 12, "plate": 900}


def piece_weight(sku: str) -> int:
    family, _, size = sku.partition("-")
    grams = GRAMS.get(family, 100)
    return grams * int(size) // 8 if size.isdigit() else grams


def cartons(sku: str, units: int) -> list[str]:
    rest = piece_weight(sku) * units
    largest = CARTONS[-1]
    chosen = [largest.code] * (rest // largest.grams)
    rest %= largest.grams
    if rest:
        chosen.append(next(c.code for c in CARTONS if rest <= c.grams))
    return chosen


def open_stock() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SCHEMA)
    return connection


class Picking(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._db = open_stock()

    def _aisle(self, sku: str) -> str | None:
        with closing(self._db.execute("select aisle from shelf where sku = ?", (sku,))) as rows:
            found = rows.fetchone()
        return found[0] if found else None

    @subscribe("/picking/line")
    def on_line(self, order: str, sku: str, units: int) -> dict[str, object]:
        aisle = self._aisle(sku)
        if aisle is None:
            return {"order": order, "picked": 0, "problem": "unknown article"}
        try:
            self._db.execute("update shelf set units = units - ? where sku = ?", (units, sku))
        except sqlite3.IntegrityError:
            return {"order": order, "picked": 0, "problem": "not enough"}
        return {"order": order, "picked": units, "aisle": aisle, "cartons": cartons(sku, units)}
