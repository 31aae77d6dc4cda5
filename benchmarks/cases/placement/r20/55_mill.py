# stateful
"""Conditions the readings of a mill through a chain of stages; the smoothing stage goes on from the last reading."""
from abc import ABC, abstractmethod

from graphbus_core import GraphBusNode, subscribe


class Stage(ABC):
    name = "stage"

    @abstractmethod
    def __call__(self, value: float) -> float: ...

    def __rshift__(self, other: "Stage") -> "Chain":
        return Chain(self, other)


class Chain(Stage):
    def __init__(self, *stages: Stage) -> None:
        self.stages = stages

    def __call__(self, value: float) -> float:
        for stage in self.stages:
            value = stage(value)
        return value


class Scale(Stage):
    def __init__(self, factor: float, offset: float = 0.0) -> None:
        self.factor, self.offset = factor, offset

    def __call__(self, value: float) -> float:
        return value * self.factor + self.offset


class Clamp(Stage):
    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def __call__(self, value: float) -> float:
        return max(self.low, min(self.high, value))


class Smooth(Clamp):
    """A first-order filter within limits."""

    def __init__(self, low: float, high: float, weight: float) -> None:
        super().__init__(low, high)
        self.weight = weight
        self.level = low

    def __call__(self, value: float) -> float:
        self.level += self.weight * (super().__call__(value) - self.level)
        return self.level


MOISTURE = Scale(0.1) >> Smooth(8.0, 20.0, 0.4)
FLOW = Scale(3.6) >> Clamp(0.0, 900.0)


def water_to_add(kilos: float, moisture: float, target: float) -> float:
    """Litres that bring the grain to the moisture it is ground at."""
    return kilos * (target - moisture) / (100 - target) if target > moisture else 0.0


class Conditioning(GraphBusNode):
    TARGETS = {"wheat": 16.5, "rye": 15.0, "spelt": 15.5}

    @subscribe("/Mill/Sample")
    def on_sample(self, grain: str, sensor: int, grams_per_second: float) -> dict[str, object]:
        moisture = MOISTURE(sensor)
        kilos = FLOW(grams_per_second)
        target = self.TARGETS.get(grain.lower(), 16.0)
        return {
            "grain": grain,
            "moisture": f"{moisture:.1f} %",
            "litres_per_hour": round(water_to_add(kilos, moisture, target), 1),
            "rest_hours": 12 if target - moisture > 3 else 8,
        }
