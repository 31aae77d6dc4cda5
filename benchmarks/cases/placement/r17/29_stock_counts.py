# stateful
"""Looking up an unknown article in the defaultdict enters it there, and from then on it counts as a known one."""
from collections import defaultdict
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Tolerance(NamedTuple):
    pieces: int = 2
    percent: int = 5

    def allows(self, counted: int, booked: int) -> bool:
        difference = abs(counted - booked)
        return difference <= self.pieces or difference * 100 <= booked * self.percent


TOLERANCES: defaultdict[str, Tolerance] = defaultdict(
    Tolerance,
    {"bolt": Tolerance(50, 2), "cog": Tolerance(0, 0), "cable": Tolerance(5, 10)},
)


def verdict(article: str, counted: int, booked: int) -> list[str]:
    remarks = []
    if article not in TOLERANCES:
        remarks.append("article is not in the list")
    if counted < 0:
        return [*remarks, "count is negative"]
    if not TOLERANCES[article].allows(counted, booked):
        remarks.append(f"{abs(counted - booked)} pieces {'too many' if counted > booked else 'missing'}")
    return remarks


class StockCounts(GraphBusNode):
    @subscribe("/Warehouse/Counted")
    def on_counted(self, article: str, counted: int, booked: int) -> dict[str, object]:
        remarks = verdict(article.strip().lower(), counted, booked)
        return {"article": article, "recount": bool(remarks), "remarks": remarks}
