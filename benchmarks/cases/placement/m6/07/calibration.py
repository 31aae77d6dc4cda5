from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import Enum


class Quantity(str, Enum):
    TEMPERATURE = "temperature"
    PRESSURE = "pressure"
    HUMIDITY = "humidity"


@dataclass(frozen=True)
class Curve:
    raw: tuple[float, ...]
    real: tuple[float, ...]
    unit: str

    def __call__(self, value: float) -> float:
        i = min(max(bisect_right(self.raw, value), 1), len(self.raw) - 1)
        x0, x1 = self.raw[i - 1], self.raw[i]
        y0, y1 = self.real[i - 1], self.real[i]
        return y0 + (y1 - y0) * (value - x0) / (x1 - x0)


CURVES = {
    Quantity.TEMPERATURE: Curve((0, 512, 1023), (-40.0, 20.0, 125.0), "C"),
    Quantity.PRESSURE: Curve((0, 300, 1023), (300.0, 900.0, 1100.0), "hPa"),
    Quantity.HUMIDITY: Curve((0, 1023), (0.0, 100.0), "%"),
}


def curve_for(kind: str) -> Curve:
    return CURVES[Quantity(kind)]
