from graphbus_core import GraphBusNode, subscribe

from store import db


class ToolWear(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/Plant/Maintenance/Asked")
    def worn(self, limit: int) -> dict:
        rows = db.execute("SELECT station, count(*) AS n, max(cycles) AS top FROM tool WHERE cycles >= ? "
                          "GROUP BY station ORDER BY station", (limit,)).fetchall()
        return {"limit": limit, "worn": [dict(r) for r in rows]}
