# stateful
"""Keeps the articles in an SQLite database in memory."""
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE article (
    sku   TEXT PRIMARY KEY,
    price INTEGER NOT NULL CHECK (price >= 0)
);
"""

UPSERT = """
INSERT INTO article (sku, price) VALUES (:sku, :price)
ON CONFLICT (sku) DO UPDATE SET price = excluded.price
"""


class Catalog(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.db = sqlite3.connect(":memory:")
        self.db.executescript(SCHEMA)

    def one(self, sql: str, **params):
        with closing(self.db.execute(sql, params)) as cursor:
            return cursor.fetchone()

    @subscribe("/catalog/put")
    def put(self, sku: str, price: int) -> dict:
        try:
            with self.db:
                self.db.execute(UPSERT, {"sku": sku, "price": price})
        except sqlite3.IntegrityError as err:
            return {"error": str(err)}
        return {"stored": sku}

    @subscribe("/catalog/cheaper")
    def cheaper(self, limit: int) -> dict:
        (found,) = self.one("SELECT COUNT(*) FROM article WHERE price < :limit", limit=limit)
        return {"articles": found}
