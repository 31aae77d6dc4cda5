# stateful
"""Keeps total_changes in the SQLite connection, which counts rows even if the change was rolled back."""
import sqlite3

from graphbus_core import GraphBusNode, subscribe

_SCHEMA = "CREATE TABLE stock(sku TEXT PRIMARY KEY, qty INTEGER NOT NULL CHECK (qty >= 0))"
_ROWS = [("bolt", 40), ("nut", 25), ("washer", 0)]


class DryRun(GraphBusNode):
    """Tries a movement and takes it back."""

    def __init__(self) -> None:
        super().__init__()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute(_SCHEMA)
        self._db.executemany("INSERT INTO stock VALUES (?, ?)", _ROWS)
        self._db.commit()

    @subscribe("/Stock/Try")
    def on_event(self, pattern: str, delta: int) -> dict[str, object]:
        try:
            self._db.execute("UPDATE stock SET qty = qty + ? WHERE sku LIKE ?", (delta, pattern))
            return {"ok": True, "rows": self._db.total_changes - len(_ROWS)}
        except sqlite3.IntegrityError:
            return {"ok": False, "rows": 0}
        finally:
            self._db.rollback()
