# stateful
"""Checks a stock movement with SQL."""
from graphbus_core import GraphBusNode, subscribe
import sqlite3
from contextlib import closing


class Sheet:
    db = sqlite3.connect(":memory:")
    db.execute("create table move (sku text, n int)")

    def query(self, sku, n):
        with closing(self.db.cursor()) as cursor:
            cursor.execute("insert into move values (?, ?)", (sku, n))
            return cursor.execute("select sum(n) from move where sku = ?", (sku,)).fetchone()[0]


class StockNode(GraphBusNode):
    @subscribe("/In")
    def on_move(self, event):
        return {"sku": event["sku"], "total": Sheet().query(event["sku"], event["n"])}
