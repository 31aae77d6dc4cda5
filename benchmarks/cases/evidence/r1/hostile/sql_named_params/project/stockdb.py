import sqlite3

from graphbus_core import GraphBusNode, depends_on, schema_method


class Scanner(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"barcode": str, "n": int})
    def read(self):
        return {"barcode": "400", "n": 3}


class Ledger(GraphBusNode):
    def __init__(self):
        self.db = sqlite3.connect(":memory:")
        self.db.execute("CREATE TABLE stock (code TEXT, n INTEGER)")

    @depends_on("Scanner.read")
    @schema_method(input_schema={"code": str, "n": int}, output_schema={"rows": int})
    def add(self, code, n):
        self.db.execute("INSERT INTO stock (code, n) VALUES (:code, :n)", {k: v for k, v in locals().items() if k != "self"})
        return {"rows": self.db.execute("SELECT count(*) FROM stock WHERE code = '400'").fetchone()[0]}
