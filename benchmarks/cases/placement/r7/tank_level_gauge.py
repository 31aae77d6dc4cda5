# stateful
"""The descriptor stores the highest value ever assigned and gives that back."""
from typing import Any

from graphbus_core import GraphBusNode, subscribe


class Bounded:
    """A float attribute between two limits."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def __set_name__(self, owner: type, name: str) -> None:
        self.slot = "_" + name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        return getattr(instance, self.slot, self.low)

    def __set__(self, instance: Any, value: float) -> None:
        value = min(max(value, self.low), self.high)
        if value > self.__get__(instance):
            setattr(instance, self.slot, value)


class Gauge(GraphBusNode):
    litres = Bounded(0.0, 5000.0)
    celsius = Bounded(-20.0, 80.0)

    @subscribe("/tank/reading")
    def on_reading(self, raw_level: int, raw_temperature: int) -> dict[str, float]:
        self.litres = raw_level * 5000 / 4095
        self.celsius = raw_temperature / 10 - 20
        expansion = 1 + 0.00021 * (self.celsius - 15)
        return {
            "litres": round(self.litres / expansion, 1),
            "percent": round(self.litres / 50, 1),
        }
