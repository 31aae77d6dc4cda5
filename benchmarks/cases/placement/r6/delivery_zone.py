# pure
"""The stops go into a scratch table and are rolled back whatever happens; the table of zones is never written again."""
import sqlite3

from graphbus_core import GraphBusNode, subscribe

ZONES = [(1000, 1999, "north"), (2000, 4999, "coast"), (5000, 6999, "hills"), (7000, 9999, "south")]

COUNTS = """
    SELECT COALESCE(z.name, '?'), COUNT(*), MIN(s.place)
    FROM stop s LEFT JOIN zone z ON s.postcode BETWEEN z.low AND z.high
    GROUP BY z.name ORDER BY MIN(s.place)
"""


class DeliveryZone(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._db = sqlite3.connect(":memory:", isolation_level=None)
        self._db.execute("CREATE TABLE zone (low INTEGER, high INTEGER, name TEXT)")
        self._db.executemany("INSERT INTO zone VALUES (?, ?, ?)", ZONES)
        self._db.execute("CREATE TABLE stop (place INTEGER PRIMARY KEY, postcode INTEGER NOT NULL)")

    @subscribe("/tour/plan")
    def on_plan(self, tour: str, postcodes: list[int | None]) -> dict[str, object]:
        db = self._db
        db.execute("BEGIN")
        try:
            db.executemany("INSERT INTO stop (postcode) VALUES (?)", [(code,) for code in postcodes])
            zones = [list(row) for row in db.execute(COUNTS)]
        except sqlite3.IntegrityError as problem:
            return {"tour": tour, "error": str(problem)}
        finally:
            db.execute("ROLLBACK")
        return {"tour": tour, "zones": zones}
