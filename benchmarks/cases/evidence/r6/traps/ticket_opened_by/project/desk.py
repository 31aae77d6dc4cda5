import sqlite3

from graphbus_core import GraphBusNode, schema_method

SCHEMA = """
create table ticket (id integer primary key, channel text, opened_by text, contact text, state text);
insert into ticket values (11, 'web', 'mara@shop.example', 'mara@shop.example', 'open');
insert into ticket values (12, 'phone', 'agent7@desk.example', '+45 7022 1111', 'open');
"""


class Desk(GraphBusNode):
    SYSTEM_PROMPT = "I keep tickets."

    def __init__(self):
        super().__init__()
        self.db = sqlite3.connect(":memory:")
        self.db.row_factory = sqlite3.Row
        self.db.executescript(SCHEMA)

    @schema_method(
        input_schema={"number": int},
        output_schema={"ticket": int, "opened_by": str, "contact": str},
    )
    def close(self, number):
        with self.db:
            self.db.execute("update ticket set state = 'closed' where id = ?", (number,))
        row = self.db.execute("select * from ticket where id = ?", (number,)).fetchone()
        return {"ticket": row["id"], "opened_by": row["opened_by"], "contact": row["contact"]}
