# stateful
"""The seat plan is an iterator, not a list: what one booking takes from it is gone for the next."""
from itertools import islice, product

from graphbus_core import GraphBusNode, subscribe

ROWS = "ABCDEF"
AISLE = {1, 8}


def plan(rows=ROWS, seats=range(1, 9)):
    return product(rows, seats)


def describe(row, seat):
    mark = "*" if seat in AISLE else ""
    return f"{row}{seat}{mark}"


class Theatre(GraphBusNode):
    price = {"A": 48, "B": 48, "C": 39, "D": 39}

    def __init__(self):
        super().__init__()
        self.plan = plan()

    def _cost(self, seats):
        return sum(self.price.get(row, 28) for row, _ in seats)

    @subscribe("/booking/new")
    def on_booking(self, name: str, party: int) -> dict:
        seats = list(islice(self.plan, party))
        if len(seats) < party:
            return {"name": name, "seats": [], "sorry": "sold out"}
        return {
            "name": name,
            "seats": [describe(*s) for s in seats],
            "together": len({row for row, _ in seats}) == 1,
            "cost": self._cost(seats),
        }
