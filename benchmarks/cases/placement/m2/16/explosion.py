from graphbus_core import GraphBusNode, subscribe

from store import trial

EXPLODE = """
WITH RECURSIVE need(part, qty) AS (
  SELECT ?, ? UNION ALL
  SELECT bom.child, need.qty * bom.qty FROM need JOIN bom ON bom.part = need.part)
SELECT part, sum(qty) AS qty FROM need WHERE part NOT IN (SELECT part FROM bom) GROUP BY part ORDER BY part
"""


class PartsList(GraphBusNode):
    """Parts needed for an order, with the engineer's changes tried on the bill of material."""

    def __init__(self):
        super().__init__()

    @subscribe("/Plant/Order/Exploded")
    def explode(self, part: str, count: int, changes: list) -> dict:
        with trial() as db:
            for parent, child, qty in changes:
                db.execute("INSERT INTO bom VALUES (?, ?, ?) ON CONFLICT(part, child) DO UPDATE SET qty = excluded.qty",
                           (parent, child, qty))
            db.execute("DELETE FROM bom WHERE qty = 0")
            rows = db.execute(EXPLODE, (part, count)).fetchall()
        return {r["part"]: r["qty"] for r in rows}
