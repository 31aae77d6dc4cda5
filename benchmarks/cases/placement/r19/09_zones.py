# pure
"""The database in memory is filled with constants at the start, and the events only select from it."""
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from graphbus_core import GraphBusNode, subscribe

ZONES = (
    (10000, 14999, "A", 4), (15000, 19999, "B", 2), (20000, 29999, "C", 7),
    (30000, 59999, "B", 3), (60000, 69999, "A", 1), (80000, 89999, "D", 5),
)
QUERY = """
SELECT zone, flood, upper - lower AS width FROM area
WHERE :code BETWEEN lower AND upper ORDER BY width LIMIT 1
"""


class ZoneFinder(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.row_factory = sqlite3.Row
        with self._db:
            self._db.execute("CREATE TABLE area (lower INTEGER, upper INTEGER, zone TEXT, flood INTEGER)")
            self._db.executemany("INSERT INTO area VALUES (?, ?, ?, ?)", ZONES)
        self._db.create_function("surcharge", 2, lambda flood, cellar: flood * (3 if cellar else 1), deterministic=True)

    @contextmanager
    def _cursor(self) -> Iterator[sqlite3.Cursor]:
        with closing(self._db.cursor()) as cursor:
            yield cursor

    @subscribe("/Insurer/Addresses")
    def on_address(self, code: str, cellar: bool) -> dict[str, object]:
        if not code.isdecimal():
            return {"zone": "?", "surcharge": 0}
        with self._cursor() as cursor:
            row = cursor.execute(QUERY, {"code": int(code)}).fetchone()
            if row is None:
                return {"zone": "none", "surcharge": 0}
            (extra,) = cursor.execute("SELECT surcharge(?, ?)", (row["flood"], cellar)).fetchone()
        return {"zone": row["zone"], "surcharge": extra}

    @subscribe("/Insurer/ZoneQueries")
    def on_zone(self, zone: str, least: int) -> dict[str, object]:
        with self._cursor() as cursor:
            cursor.execute("SELECT lower FROM area WHERE zone = ? AND flood >= ? ORDER BY lower", (zone, least))
            codes = [f"{row['lower']:05d}" for row in cursor]
        return {"zone": zone, "areas": codes}
