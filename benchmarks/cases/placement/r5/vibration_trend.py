# stateful
"""Keeps an exponential mean and deviation in the frame of a generator per machine part, left open between events."""
from math import sqrt
from typing import Generator

from graphbus_core import GraphBusNode, subscribe

Trend = Generator[tuple[float, float], float, None]


def trend(weight: float, start: float) -> Trend:
    mean, variance = start, 0.0
    while True:
        value = yield mean, sqrt(variance)
        delta = value - mean
        mean += weight * delta
        variance = (1 - weight) * (variance + weight * delta * delta)


def primed(weight: float, start: float) -> Trend:
    generator = trend(weight, start)
    next(generator)
    return generator


class VibrationTrend(GraphBusNode):
    """Marks the readings that lie outside of the expected band."""

    def __init__(self) -> None:
        super().__init__()
        self._band = {
            "bearing": primed(0.2, 1.0),
            "shaft": primed(0.1, 2.5),
            "housing": primed(0.3, 0.4),
        }

    @subscribe("/Machine/Vibration")
    def on_reading(self, part: str, rms: float) -> dict[str, object]:
        band = self._band.get(part)
        if band is None:
            return {"part": part, "verdict": "unknown"}
        mean, deviation = band.send(rms)
        verdict = "high" if rms > mean + 2 * deviation else "ok"
        return {"part": part, "mean": round(mean, 4), "verdict": verdict}
