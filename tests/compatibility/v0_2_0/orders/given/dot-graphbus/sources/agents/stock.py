"""The stock, in a database that somebody else opens."""

from __future__ import annotations

import sqlite3

from graphbus_core import GraphBusNode, schema_method


class Stock(GraphBusNode):
    """Knows what is left."""

    SYSTEM_PROMPT = "I keep the stock in a database."

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    @schema_method(input_schema={"sku": str}, output_schema={"left": int})
    def take(self, sku: str) -> dict[str, int]:
        with self.db:
            self.db.execute("UPDATE stock SET left = left - 1 WHERE sku = ? AND left > 0", (sku,))
        return {"left": self._left(sku)}

    @schema_method(input_schema={"sku": str}, output_schema={"left": int})
    def look(self, sku: str) -> dict[str, int]:
        return {"left": self._left(sku)}

    @schema_method(input_schema={}, output_schema={"wiped": bool})
    def wipe(self) -> dict[str, bool]:
        with self.db:
            self.db.execute("DELETE FROM stock")
        return {"wiped": True}

    def _left(self, sku: str) -> int:
        row = self.db.execute("SELECT left FROM stock WHERE sku = ?", (sku,)).fetchone()
        return row[0] if row else 0
