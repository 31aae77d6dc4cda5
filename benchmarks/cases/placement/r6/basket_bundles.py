# stateful
"""The scratch table is emptied at the end only; a basket without a bundle returns before that and leaves its rows."""
import sqlite3

from graphbus_core import GraphBusNode, subscribe

BUNDLES = [("coffee-set", "grinder"), ("coffee-set", "beans"), ("tea-set", "pot"), ("tea-set", "leaves")]

MATCH = """
    SELECT b.bundle FROM bundle b LEFT JOIN basket k ON k.sku = b.sku
    GROUP BY b.bundle HAVING COUNT(*) = COUNT(DISTINCT k.sku) ORDER BY b.bundle
"""


class BasketBundles(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE TABLE bundle (bundle TEXT, sku TEXT, UNIQUE (bundle, sku))")
        self._db.executemany("INSERT INTO bundle VALUES (?, ?)", BUNDLES)
        self._db.execute("CREATE TEMP TABLE basket (sku TEXT PRIMARY KEY, pieces INTEGER)")

    @subscribe("/basket/check")
    def on_check(self, basket: int, skus: list[str]) -> dict[str, object]:
        db = self._db
        db.executemany("INSERT OR REPLACE INTO basket VALUES (?, 1)", [(sku,) for sku in skus])
        bundles = [name for (name,) in db.execute(MATCH)]
        if not bundles:
            return {"basket": basket, "percent": 0}
        db.execute("DELETE FROM basket")
        return {"basket": basket, "percent": 10 * len(bundles), "bundles": bundles}
