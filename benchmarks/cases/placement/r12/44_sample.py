# pure
"""The cached properties sit on the sample of one event and are gone with it."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from statistics import fmean, pstdev

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Target:
    nominal: float
    tolerance: float

    @property
    def low(self) -> float:
        return self.nominal - self.tolerance

    @property
    def high(self) -> float:
        return self.nominal + self.tolerance


TARGETS = {"bolt": Target(12.0, 0.2), "shaft": Target(40.0, 0.05), "gasket": Target(3.0, 0.5)}


class Sample:
    def __init__(self, values: list[float], target: Target) -> None:
        self.values = values
        self.target = target

    @cached_property
    def mean(self) -> float:
        return fmean(self.values)

    @cached_property
    def sigma(self) -> float:
        return pstdev(self.values, self.mean)

    @cached_property
    def cpk(self) -> float | None:
        if not self.sigma:
            return None
        room = min(self.target.high - self.mean, self.mean - self.target.low)
        return round(room / (3 * self.sigma), 3)

    @cached_property
    def longest_run(self) -> int:
        """Length of the longest run on one side of the nominal size."""
        sides = (value > self.target.nominal for value in self.values)
        return max(sum(1 for _ in run) for _, run in groupby(sides))


class QualityGate(GraphBusNode):
    MIN_CPK = 1.33
    MAX_RUN = 7

    @subscribe("/Quality/Sample")
    def on_sample(self, batch: str, part: str, values: list[float]) -> dict[str, object]:
        target = TARGETS.get(part)
        if target is None or not values:
            return {"batch": batch, "verdict": "unknown"}
        sample = Sample(values, target)
        capable = sample.cpk is not None and sample.cpk >= self.MIN_CPK
        drifting = sample.longest_run >= self.MAX_RUN
        verdict = "drift" if drifting else "pass" if capable else "sort"
        return {"batch": batch, "verdict": verdict, "mean": round(sample.mean, 4), "cpk": sample.cpk}
