# pure
"""The table of the standard atmosphere is built when it is first needed, always the same one."""
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Atmosphere:
    surface: float = 1013.25
    top: int = 11000
    step: int = 250
    scale: ClassVar[float] = 44330.77

    @cached_property
    def heights(self) -> list[int]:
        return list(range(self.top, -1, -self.step))

    @cached_property
    def pressures(self) -> list[float]:
        return [self.surface * (1 - h / self.scale) ** 5.25588 for h in self.heights]

    def height(self, hpa: float) -> float:
        i = bisect_left(self.pressures, hpa)
        if i == 0:
            return float(self.top)
        if i == len(self.pressures):
            return 0.0
        low, high = self.pressures[i - 1], self.pressures[i]
        part = (hpa - low) / (high - low)
        return self.heights[i - 1] + part * (self.heights[i] - self.heights[i - 1])


@dataclass
class Level:
    hpa: float
    celsius: float


class Profile(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.atmosphere = Atmosphere()

    @subscribe("/Obs/Sounding")
    def on_sounding(self, levels: list[list[float]]) -> dict:
        sounding = sorted((Level(*pair) for pair in levels), key=lambda lv: -lv.hpa)
        freezing = None
        for lower, upper in zip(sounding, sounding[1:]):
            if lower.celsius > 0 >= upper.celsius:
                share = lower.celsius / (lower.celsius - upper.celsius)
                freezing = self.atmosphere.height(lower.hpa + share * (upper.hpa - lower.hpa))
                break
        return {"freezing_level": freezing and round(freezing), "levels": len(sounding)}
