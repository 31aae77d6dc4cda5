# stateful
"""Keeps the smoothed value in a suspended generator to which readings are sent."""
import math
from collections.abc import Generator
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Level(str, Enum):
    NORMAL = "normal"
    RAISED = "raised"
    ALARM = "alarm"


THRESHOLDS = [(80.0, Level.ALARM), (60.0, Level.RAISED)]


def classify(value: float) -> Level:
    for floor, level in THRESHOLDS:
        if value >= floor:
            return level
    return Level.NORMAL


def smoother(alpha: float) -> Generator[float, float, None]:
    reading = yield math.nan
    value = reading
    while True:
        value = alpha * reading + (1 - alpha) * value
        reading = yield value


def primed(alpha: float) -> Generator[float, float, None]:
    gen = smoother(alpha)
    next(gen)
    return gen


class BoilerTemperature(GraphBusNode):
    def __init__(self, alpha: float = 0.4) -> None:
        super().__init__()
        self.filter = primed(alpha)

    @subscribe("/Boiler/Temperature")
    def on_temperature(self, celsius: float) -> dict[str, object]:
        if not math.isfinite(celsius):
            return {"level": "unknown"}
        value = self.filter.send(celsius)
        return {"value": round(value, 3), "level": classify(value).value}
