# stateful
"""Keeps a running mean inside a generator that is fed by send and lives as long as the node."""
from itertools import islice
from typing import Generator

from graphbus_core import GraphBusNode, subscribe


def smoother(weight: float) -> Generator[float, float, None]:
    level = yield 0.0
    while True:
        value = yield level
        level += (value - level) * weight


def primed(generator: Generator[float, float, None]) -> Generator[float, float, None]:
    next(generator)
    return generator


def alarms(flow: float, expected: float) -> Generator[str, None, None]:
    if flow > 2 * expected:
        yield "burst?"
    if flow > 1.3 * expected:
        yield "above expected"
    if flow <= 0:
        yield "meter stands still"


class Meters(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._districts = {name: primed(smoother(0.25)) for name in ("north", "harbour", "old town")}

    @subscribe("/Water/Flow")
    def on_flow(self, district: str, litres: float) -> dict[str, object]:
        if district not in self._districts:
            return {"district": district, "notes": ["unknown district"]}
        expected = self._districts[district].send(litres)
        return {"district": district, "notes": list(islice(alarms(litres, expected), 2))}
