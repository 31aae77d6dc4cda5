# stateful
"""Keeps values in the descriptors: they store on themselves, so a new tank starts with the last tank's settings."""
from __future__ import annotations

from typing import Any, Generic, TypeVar

from graphbus_core import GraphBusNode, subscribe

Number = TypeVar("Number", int, float)


class Ranged(Generic[Number]):
    """An attribute that must stay between two bounds."""

    def __init__(self, low: Number, high: Number, default: Number) -> None:
        self.low, self.high = low, high
        self.value = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else self.value

    def __set__(self, instance: Any, value: Number) -> None:
        if not self.low <= value <= self.high:
            raise ValueError(f"{self.name} must be {self.low} to {self.high}")
        self.value = value


class Tank:
    area_m2 = Ranged(0.5, 80.0, 12.0)
    alarm_percent = Ranged(50, 100, 90)
    height_m = Ranged(0.5, 20.0, 6.0)

    def __init__(self, **settings: float) -> None:
        for name, value in settings.items():
            setattr(self, name, value)

    def volume(self, level_m: float) -> float:
        return self.area_m2 * min(level_m, self.height_m)

    def alarm(self, level_m: float) -> bool:
        return level_m * 100 >= self.height_m * self.alarm_percent


class TankLevels(GraphBusNode):
    @subscribe("/Levels")
    def on_level(self, level_m: float, settings: dict[str, float]) -> dict[str, object]:
        known = {name: value for name, value in settings.items() if isinstance(getattr(Tank, name, None), Ranged)}
        try:
            tank = Tank(**known)
        except ValueError as problem:
            return {"error": str(problem)}
        return {"m3": round(tank.volume(level_m), 2), "alarm": tank.alarm(level_m)}
