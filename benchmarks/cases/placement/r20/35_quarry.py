# stateful
"""Plans truck loads; the row of the shift is taken from the table and filled there."""
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

STONE = {"granite": 2.7, "limestone": 2.4, "gravel": 1.7, "basalt": 3.0}


class Truck(NamedTuple):
    plate: str
    limit: float


FLEET = [Truck("AB-1", 12.0), Truck("AB-2", 18.0), Truck("AB-3", 25.0)]
SHIFTS = ("early", "late")
LOADS = [[0.0] * len(FLEET) for _ in SHIFTS]


def tonnes(stone: str, cubic_metres: float) -> float:
    return STONE.get(stone.lower(), 2.0) * cubic_metres


def row_of(shift: str) -> list[float]:
    return LOADS[SHIFTS.index(shift) if shift in SHIFTS else -1]


def share_out(weight: float, row: list[float]) -> dict[str, float]:
    """Always gives the next piece to the truck that has carried least for its size."""
    given: dict[str, float] = {}
    while weight > 0.005:
        index = min(range(len(FLEET)), key=lambda i: (row[i] / FLEET[i].limit, i))
        truck = FLEET[index]
        piece = min(weight, truck.limit / 2)
        row[index] += piece
        weight -= piece
        given[truck.plate] = round(given.get(truck.plate, 0.0) + piece, 2)
    return given


class Dispatcher(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.max_order = 120.0

    @subscribe("/Quarry/Order")
    def on_order(self, customer: str, stone: str, cubic_metres: float, shift: str) -> dict[str, object]:
        weight = tonnes(stone, cubic_metres)
        if weight > self.max_order:
            return {"customer": customer, "refused": f"{weight:.1f} t"}
        plan = share_out(weight, row_of(shift))
        return {"customer": customer, "tonnes": round(weight, 2), "trucks": dict(sorted(plan.items()))}
