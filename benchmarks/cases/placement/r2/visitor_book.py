# stateful
import sqlite3

from graphbus_core import GraphBusNode, subscribe


class VisitorBook(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.book = sqlite3.connect(":memory:", check_same_thread=False)
        self.book.execute("create table visit (who text)")

    @subscribe("/Book/Signed")
    def on(self, payload):
        self.book.execute("insert into visit values (?)", (payload["who"],))
        pages = self.book.execute("select count(*) from visit").fetchone()[0]
        self.publish("/Book/Grew", {"pages": pages})
