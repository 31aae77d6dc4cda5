# stateful
"""The in-memory database opened at import carries the stock levels."""
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE level (sku TEXT PRIMARY KEY, qty INTEGER NOT NULL CHECK (qty >= 0));
INSERT INTO level VALUES ('bolt', 20), ('nut', 20);
"""
UPSERT = """
INSERT INTO level (sku, qty) VALUES (:sku, :delta)
ON CONFLICT (sku) DO UPDATE SET qty = qty + :delta
"""


def connect():
    db = sqlite3.connect(":memory:", check_same_thread=False)
    db.executescript(SCHEMA)
    return db


db = connect()


def scalar(sql, **params):
    with closing(db.execute(sql, params)) as cur:
        row = cur.fetchone()
    return row[0] if row else None


class Stock(GraphBusNode):
    @subscribe("/stock/move")
    def on_move(self, sku: str, delta: int) -> dict:
        try:
            with db:
                db.execute(UPSERT, {"sku": sku, "delta": delta})
        except sqlite3.IntegrityError:
            return {"sku": sku, "ok": False}
        return {
            "sku": sku,
            "ok": True,
            "level": scalar("SELECT qty FROM level WHERE sku = :sku", sku=sku),
        }
