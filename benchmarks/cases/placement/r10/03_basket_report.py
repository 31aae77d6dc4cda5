# pure
"""Keeps nothing: each event opens and closes a database of its own in memory."""
import sqlite3
from contextlib import closing
from typing import Any

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE line (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    category TEXT NOT NULL,
    sku TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    cents INTEGER NOT NULL,
    UNIQUE (category, sku)
);
"""

UPSERT = """
INSERT INTO line (category, sku, quantity, cents) VALUES (:category, :sku, :quantity, :cents)
ON CONFLICT (category, sku) DO UPDATE SET quantity = quantity + excluded.quantity
"""

REPORT = """
SELECT category, SUM(quantity) AS pieces, SUM(quantity * cents) AS cents, MAX(id) AS last
FROM line GROUP BY category HAVING pieces >= ? ORDER BY cents DESC, category
"""


def open_database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    connection.executescript(SCHEMA)
    return connection


def report(connection: sqlite3.Connection, minimum: int) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(REPORT, (minimum,))]


class BasketReport(GraphBusNode):
    @subscribe("/basket/closed")
    def on_basket(self, basket: str, lines: list[dict[str, Any]], minimum: int = 1) -> dict[str, Any]:
        with closing(open_database()) as connection:
            try:
                with connection:
                    connection.executemany(UPSERT, lines)
            except sqlite3.IntegrityError as error:
                return {"basket": basket, "error": str(error)}
            return {"basket": basket, "categories": report(connection, minimum)}
