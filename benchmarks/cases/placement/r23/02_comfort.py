# pure
"""Frozen records go through a chain of corrections; the protocol's implementations hold only constants."""
import math
from dataclasses import dataclass, replace
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, slots=True)
class Air:
    celsius: float
    humidity: float
    wind: float
    felt: float | None = None


class Correction(Protocol):
    def __call__(self, air: Air) -> Air: ...


@dataclass(frozen=True)
class WindChill:
    below: float = 10.0

    def __call__(self, air: Air) -> Air:
        if air.celsius > self.below or air.wind < 4.8:
            return air
        v = air.wind ** 0.16
        return replace(air, felt=13.12 + 0.6215 * air.celsius - 11.37 * v + 0.3965 * air.celsius * v)


@dataclass(frozen=True)
class Humidex:
    above: float = 20.0

    def __call__(self, air: Air) -> Air:
        if air.celsius < self.above:
            return air
        vapour = 6.112 * math.exp(17.62 * air.celsius / (243.12 + air.celsius)) * air.humidity / 100
        return replace(air, felt=air.celsius + 5 / 9 * (vapour - 10))


class Comfort(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.corrections: list[Correction] = [WindChill(), Humidex()]

    @subscribe("/Obs/Air")
    def on_air(self, celsius: float, humidity: float, wind: float) -> dict:
        self.air = Air(celsius, humidity, wind)
        for correction in self.corrections:
            self.air = correction(self.air)
        felt = self.air.celsius if self.air.felt is None else self.air.felt
        return {"felt": round(felt, 1), "warn": felt > 40 or felt < -25}
