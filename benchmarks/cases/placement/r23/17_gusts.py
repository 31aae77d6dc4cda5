# pure
"""The gate with its hysteresis is made for each series of samples, and forgets it afterwards."""
from dataclasses import dataclass, field
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


class Gate(Protocol):
    def feed(self, value: float) -> bool: ...


@dataclass
class Threshold:
    limit: float

    def feed(self, value: float) -> bool:
        return value >= self.limit


@dataclass
class Hysteresis:
    up: float
    down: float
    active: bool = False
    switches: int = 0

    def feed(self, value: float) -> bool:
        before = self.active
        self.active = value > self.down if before else value >= self.up
        self.switches += before != self.active
        return self.active


@dataclass
class Series:
    gate: Gate
    marks: list[bool] = field(default_factory=list)

    def run(self, samples: list[float]) -> "Series":
        self.marks.extend(map(self.gate.feed, samples))
        return self


class Gusts(GraphBusNode):
    gates = {"airport": lambda: Hysteresis(40.0, 28.0), "harbour": lambda: Hysteresis(55.0, 45.0)}

    @subscribe("/Obs/GustSeries")
    def on_series(self, site: str, samples: list[float]) -> dict:
        make = self.gates.get(site, lambda: Threshold(60.0))
        series = Series(make()).run(samples)
        return {
            "site": site,
            "minutes": sum(series.marks),
            "active": bool(series.marks and series.marks[-1]),
            "switches": getattr(series.gate, "switches", 0),
        }
