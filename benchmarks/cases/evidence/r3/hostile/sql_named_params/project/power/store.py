import sqlite3

from graphbus_core import GraphBusNode, schema_method, subscribe

from power import sql


class Store(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.db = sqlite3.connect(":memory:")
        self.db.execute(sql.CREATE)

    @subscribe("/Meter/Read")
    @schema_method(input_schema={"meter_id": str, "kwh": float})
    def insert(self, payload):
        self.db.execute(sql.INSERT, payload)

    def total(self, meter):
        return self.db.execute(sql.TOTAL, (meter,)).fetchone()[0]
