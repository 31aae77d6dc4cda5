# pure
"""Keeps nothing: the need of a field follows from the event and from tables."""
from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from enum import Enum, auto

from graphbus_core import GraphBusNode, subscribe


class Soil(Enum):
    SAND = auto()
    LOAM = auto()
    CLAY = auto()

    @property
    def capacity(self) -> int:
        return {Soil.SAND: 60, Soil.LOAM: 140, Soil.CLAY: 180}[self]


@dataclass(frozen=True)
class Plot:
    soil: Soil
    moisture: float
    hectares: float

    def after(self, rain: float, loss: float) -> "Plot":
        level = self.moisture + (rain - loss) / self.soil.capacity * 100
        return replace(self, moisture=min(100.0, max(0.0, level)))


class Strategy(ABC):
    target = 60.0

    @abstractmethod
    def millimetres(self, plot: Plot) -> float: ...


class Refill(Strategy):
    def millimetres(self, plot: Plot) -> float:
        return max(0.0, self.target - plot.moisture) / 100 * plot.soil.capacity


class Deficit(Refill):
    target = 45.0

    def millimetres(self, plot: Plot) -> float:
        return min(15.0, super().millimetres(plot))


CROPS = {"maize": (Refill(), 1.15), "vine": (Deficit(), 0.6), "potato": (Refill(), 1.05)}


def evapotranspiration(low: float, high: float, radiation: float) -> float:
    return max(0.0, 0.0023 * ((low + high) / 2 + 17.8) * max(high - low, 0) ** 0.5 * radiation * 0.408)


class Irrigation(GraphBusNode):
    @subscribe("/Farm/Forecast")
    def on_forecast(self, crop: str, soil: str, moisture: float, hectares: float, days: list[list[float]]) -> dict[str, object]:
        strategy, factor = CROPS[crop]
        plot = Plot(Soil[soil.upper()], moisture, hectares)
        plan = []
        for low, high, radiation, rain in days:
            plot = plot.after(rain, factor * evapotranspiration(low, high, radiation))
            water = strategy.millimetres(plot)
            plot = plot.after(water, 0.0)
            plan.append(round(water, 1))
        return {"plan_mm": plan, "cubic_metres": round(sum(plan) * 10 * hectares), "end": round(plot.moisture, 1)}
