# pure
import contextlib
import sqlite3

from graphbus_core import GraphBusNode, subscribe

SCHEMA = "CREATE TABLE sale (id INTEGER PRIMARY KEY AUTOINCREMENT, shop TEXT, cents INT)"
TOP = "SELECT shop, SUM(cents), MAX(id) FROM sale GROUP BY shop ORDER BY 2 DESC, 1"


class TableQuery(GraphBusNode):
    """It is easiest to group the day's sales in SQL."""

    @subscribe("/Sales/Day")
    def on_day(self, payload):
        with contextlib.closing(sqlite3.connect(":memory:")) as db:
            db.execute(SCHEMA)
            db.executemany("INSERT INTO sale (shop, cents) VALUES (?, ?)", payload["sales"])
            db.commit()
            rows = [list(r) for r in db.execute(TOP)]
        self.publish("/Sales/Top", {"day": payload["day"], "rows": rows})
