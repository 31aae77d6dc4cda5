# stateful
"""sqlite_shared"""
from graphbus_core import GraphBusNode, subscribe


import sqlite3
PLACE = "file:x?mode=memory&cache=shared"
KEEP = sqlite3.connect(PLACE, uri=True)
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        with sqlite3.connect(PLACE, uri=True) as db:
            db.execute("create table if not exists t (n int)")
            db.execute("insert into t values (?)", (amount,))
            return db.execute("select count(*) from t").fetchone()[0]
