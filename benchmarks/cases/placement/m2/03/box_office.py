from graphbus_core import GraphBusNode, subscribe

import house


class BoxOffice(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/Theatre/Tickets/Wanted")
    def sell(self, show: str, block: str, count: int) -> dict:
        """Sell adjoining seats, front rows first."""
        for r, row in enumerate(house.plan_for(show).block(block).rows, start=1):
            start = "".join(row).find("." * count)
            if start >= 0:
                row[start:start + count] = "x" * count
                return {"ok": True, "row": r, "seats": list(range(start + 1, start + count + 1))}
        return {"ok": False, "row": 0, "seats": []}
