import sqlite3
from pathlib import Path

from graphbus_core import GraphBusNode, depends_on, schema_method

INSERT = Path(__file__).with_name("insert.sql").read_text()


class Attendance(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.db = sqlite3.connect(":memory:")
        self.db.execute("CREATE TABLE presence (who, at)")

    @depends_on("Turnstile.pass_")
    @schema_method(input_schema={"employee": str, "minute": int}, output_schema={"rows": int, "last": str})
    def record(self, employee, minute):
        self.db.execute(INSERT, {k: v for k, v in locals().items() if k != "self"})
        rows = self.db.execute("SELECT who FROM presence ORDER BY rowid").fetchall()
        return {"rows": len(rows), "last": rows[-1][0]}
