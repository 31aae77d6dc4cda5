# pure
"""The descriptors write into the reading they are set on, and each event makes its own reading."""
from __future__ import annotations

from typing import Any, Generic, TypeVar

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T", bound=float)


class Bounded(Generic[T]):
    def __init__(self, low: T, high: T) -> None:
        self.low, self.high = low, high

    def __set_name__(self, owner: type, name: str) -> None:
        self.slot = "_" + name

    def __get__(self, reading: Any, owner: type | None = None) -> Any:
        return self if reading is None else reading.__dict__[self.slot]

    def __set__(self, reading: Any, value: T) -> None:
        clipped = max(self.low, min(self.high, value))
        reading.__dict__[self.slot] = clipped
        if clipped != value:
            reading.warnings.append(self.slot[1:])


class Reading:
    celsius = Bounded(-50.0, 600.0)
    bar = Bounded(0.0, 25.0)
    rpm = Bounded(0.0, 9000.0)

    def __init__(self, celsius: float, bar: float, rpm: float) -> None:
        self.warnings: list[str] = []
        self.celsius = celsius
        self.bar = bar
        self.rpm = rpm

    @property
    def fahrenheit(self) -> float:
        return round(self.celsius * 9 / 5 + 32, 1)

    @property
    def psi(self) -> float:
        return round(self.bar * 14.5038, 2)

    @property
    def load(self) -> float:
        limits = type(self)
        return round(self.rpm / limits.rpm.high * self.bar / limits.bar.high, 4)


class UnitBridge(GraphBusNode):
    """Hands the readings of the European machines on to the American control room."""

    @subscribe("/Machine/Reading")
    def on_reading(self, machine: str, celsius: float, bar: float, rpm: float) -> dict[str, object]:
        reading = Reading(celsius, bar, rpm)
        return {
            "machine": machine.upper(),
            "F": reading.fahrenheit,
            "psi": reading.psi,
            "load": reading.load,
            "clipped": reading.warnings,
        }
