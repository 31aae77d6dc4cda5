# pure
"""Opens a database in memory for each event and closes it again."""
import sqlite3
from contextlib import closing

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
create table stock (sku text primary key, place text, quantity integer);
create table wish (id integer primary key autoincrement, sku text, quantity integer);
"""
SHORT = """
select wish.sku, sum(wish.quantity) - coalesce(stock.quantity, 0) as missing
  from wish left join stock using (sku)
 group by wish.sku
having missing > 0
 order by missing desc, wish.sku
"""
WALK = """
select distinct stock.place from wish join stock using (sku)
 where stock.quantity > 0 order by stock.place
"""


def scratch() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    return connection


class StockMatch(GraphBusNode):
    @subscribe("/Picking/Request")
    def on_request(self, order: str, stock: dict[str, int], wishes: list[str]) -> dict[str, object]:
        with closing(scratch()) as db:
            db.executemany(
                "insert into stock values (?, ?, ?)",
                [(sku, f"{sku[:1].upper()}-{len(sku):02d}", quantity) for sku, quantity in stock.items()],
            )
            for wish in wishes:
                sku, _, quantity = wish.partition(":")
                cursor = db.execute("insert into wish (sku, quantity) values (?, ?)", (sku, int(quantity or 1)))
            last = cursor.lastrowid if wishes else 0
            return {
                "order": order,
                "lines": last,
                "short": {sku: missing for sku, missing in db.execute(SHORT)},
                "walk": [place for (place,) in db.execute(WALK)],
            }
