# pure
"""Groups rows with SQL."""
from graphbus_core import GraphBusNode, subscribe
import sqlite3
from contextlib import closing


class PivotNode(GraphBusNode):
    @subscribe("/In")
    def on_rows(self, event):
        with closing(sqlite3.connect(":memory:")) as db:
            db.execute("create table t (region text, n int)")
            db.executemany("insert into t values (?, ?)", event["rows"])
            groups = db.execute("select region, sum(n) from t group by region order by region").fetchall()
        return {"groups": groups, "total": sum(n for _, n in groups)}
