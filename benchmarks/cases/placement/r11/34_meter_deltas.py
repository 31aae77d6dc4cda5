# pure
"""Drives a coroutine over the readings of one event; the coroutine is made and closed inside the handler."""
from collections.abc import Generator
from contextlib import closing
from dataclasses import asdict, dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Delta:
    at: str
    used: int
    rollover: bool = False


def deltas(digits: int) -> Generator[Delta | None, tuple[str, int], None]:
    _, last = yield None
    delta = None
    while True:
        at, value = yield delta
        rolled = value < last
        delta = Delta(at, value - last + (10 ** digits if rolled else 0), rolled)
        last = value


def _pairs(readings: list[str]):
    for reading in readings:
        at, _, value = reading.partition("=")
        if value.strip().isdigit():
            yield at.strip(), int(value)


class MeterDeltas(GraphBusNode):
    @subscribe("/Meter/Readings")
    def on_readings(self, meter: str, digits: int, readings: list[str]) -> dict:
        found: list[Delta] = []
        with closing(deltas(digits)) as coroutine:
            next(coroutine)
            for pair in _pairs(readings):
                delta = coroutine.send(pair)
                if delta is not None:
                    found.append(delta)
        peak = max(found, key=lambda d: d.used, default=None)
        return {
            "meter": meter,
            "deltas": [asdict(d) for d in found],
            "total": sum(d.used for d in found),
            "peak": peak.at if peak else None,
        }
