# stateful
"""One way out of the inspection forgets to give its semaphore back, so a gate runs out of places."""
from threading import Semaphore

from graphbus_core import GraphBusNode, subscribe

LIMITS = {"A": 40_000, "B": 12_000, "C": 7_500}
GATES = {name: Semaphore(3) for name in LIMITS}
DANGEROUS = {"1.1", "2.3", "6.2", "7"}


def toll(weight: int, axles: int) -> int:
    return 350 + 120 * max(axles - 2, 0) + weight // 1000 * 15


def inspect(gate: str, weight: int, axles: int, goods: str) -> dict[str, object]:
    place = GATES[gate]
    if not place.acquire(blocking=False):
        return {"result": "gate busy", "retry": True}
    if weight > LIMITS[gate]:
        return {"result": "too heavy", "over": weight - LIMITS[gate]}
    try:
        if goods in DANGEROUS:
            return {"result": "escort", "class": goods}
        return {"result": "pass", "toll": toll(weight, axles)}
    finally:
        place.release()


class GateInspection(GraphBusNode):
    @subscribe("/Gate/Arrival")
    def on_arrival(self, gate: str, weight: int, axles: int, goods: str) -> dict[str, object]:
        if gate not in GATES:
            return {"result": "no such gate"}
        return {"gate": gate, **inspect(gate, weight, axles, goods)}
