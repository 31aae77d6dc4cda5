# pure
"""Generators, counters and a coroutine that averages are made anew for the readings of each event."""
from itertools import count, groupby, pairwise
from typing import Generator, Iterable, Iterator

from graphbus_core import GraphBusNode, subscribe


def smoother(weight: float) -> Generator[float, float, None]:
    value = yield 0.0
    average = value
    while True:
        value = yield round(average, 4)
        average += weight * (value - average)


def smooth(values: Iterable[float], weight: float) -> Iterator[float]:
    machine = smoother(weight)
    next(machine)
    for value in values:
        yield machine.send(value)


def numbered(values: Iterable[float], prefix: str) -> Iterator[tuple[str, float]]:
    numbers = count(1)
    return ((f"{prefix}{next(numbers)}", value) for value in values)


def trends(values: list[float]) -> list[str]:
    signs = ("up" if b > a else "down" if b < a else "flat" for a, b in pairwise(values))
    return [f"{sign} x{sum(1 for _ in run)}" for sign, run in groupby(signs)]


class ReadingPipeline(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._weight = 0.5
        self._prefix = "R"

    @subscribe("/Sensor/Readings")
    def on_readings(self, sensor: str, values: list[float]) -> dict[str, object]:
        smoothed = list(smooth(values, self._weight))
        return {
            "sensor": sensor,
            "smooth": dict(numbered(smoothed, self._prefix)),
            "trend": trends(smoothed),
            "peak": max(smoothed, default=None),
        }
