# stateful
"""Keeps a running generator that carries the smoothed value from one reading to the next."""
from collections.abc import Generator

from graphbus_core import GraphBusNode, subscribe

UNITS = {"C": lambda v: v, "F": lambda v: (v - 32) * 5 / 9, "K": lambda v: v - 273.15}
BANDS = ((-40.0, "frozen"), (2.0, "cold"), (8.0, "chilled"), (25.0, "ambient"), (60.0, "hot"))


def smoothing(alpha: float) -> Generator[float, float, None]:
    level = yield 0.0
    while True:
        reading = yield level
        level += alpha * (reading - level)


def started(gen: Generator[float, float, None]) -> Generator[float, float, None]:
    next(gen)
    return gen


def band(value: float) -> str:
    name = "out of range"
    for lower, label in BANDS:
        if value >= lower:
            name = label
    return name


class ColdChain(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._filter = started(smoothing(0.5))

    @subscribe("/sensor/temperature")
    def on_reading(self, value: float, unit: str) -> dict[str, float | str]:
        if unit not in UNITS:
            return {"error": f"unit {unit}"}
        celsius = self._filter.send(UNITS[unit](value))
        return {"celsius": round(celsius, 3), "band": band(celsius)}
