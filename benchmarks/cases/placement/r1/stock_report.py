# pure
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe


class StockReport(GraphBusNode):
    @subscribe("/Stock/Moves")
    def on_moves(self, payload):
        with closing(sqlite3.connect(":memory:")) as db:
            db.execute("CREATE TABLE move (sku TEXT, n INT)")
            db.executemany("INSERT INTO move VALUES (:sku, :n)", payload["moves"])
            rows = db.execute("SELECT sku, sum(n) FROM move GROUP BY sku ORDER BY sku").fetchall()
        self.publish("/Stock/Report", {"rows": rows})
