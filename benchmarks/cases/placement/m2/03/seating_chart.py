from graphbus_core import GraphBusNode, subscribe

from house import plan_for


class SeatingChart(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/Theatre/Chart/Opened")
    def draw(self, show: str, block: str) -> dict:
        b = plan_for(show).block(block)
        width = max(map(len, b.rows))
        lines = [f"{chr(ord('A') + i)} {''.join(r).center(width + 2)}" for i, r in enumerate(b.rows)]
        return {"block": b.name, "lines": lines, "free": sum(r.count(".") for r in b.rows)}
