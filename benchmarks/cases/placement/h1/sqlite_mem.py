# stateful
"""sqlite_mem"""
from graphbus_core import GraphBusNode, subscribe


import sqlite3
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.where = ":memory:"
        self.db = sqlite3.connect(self.where)
        self.db.execute("create table t (n int)")
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.db.execute("insert into t values (?)", (amount,))
        return self.db.execute("select count(*) from t").fetchone()[0]
