# pure
"""Keeps nothing: a tariff object is made for each reading."""
from abc import ABC, abstractmethod
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")


class Tariff(ABC):
    base_fee = Decimal("8.50")

    def __init__(self, readings: list[int]) -> None:
        self.readings = readings

    @property
    def consumption(self) -> int:
        return sum(self.readings)

    @abstractmethod
    def energy(self) -> Decimal: ...

    def bill(self) -> Decimal:
        return (self.base_fee + self.energy()).quantize(CENT, ROUND_HALF_UP)


class Flat(Tariff):
    def energy(self) -> Decimal:
        return self.consumption * Decimal("0.32")


class TimeOfUse(Tariff):
    base_fee = Decimal("11.00")
    night = range(0, 6)

    def energy(self) -> Decimal:
        total = Decimal(0)
        for hour, used in enumerate(self.readings):
            total += used * (Decimal("0.22") if hour % 24 in self.night else Decimal("0.36"))
        return total


class Stepped(Tariff):
    steps = ((10, Decimal("0.25")), (40, Decimal("0.33")), (None, Decimal("0.45")))

    def energy(self) -> Decimal:
        left, total = self.consumption, Decimal(0)
        for size, price in self.steps:
            part = left if size is None else min(left, size)
            total += part * price
            left -= part
        return total


TARIFFS: dict[str, type[Tariff]] = {"flat": Flat, "tou": TimeOfUse, "stepped": Stepped}


class EnergyBilling(GraphBusNode):
    @subscribe("/meter/day")
    def on_day(self, meter: str, tariff: str, hours: list[int]) -> dict[str, Any]:
        if any(value < 0 for value in hours):
            return {"meter": meter, "error": "negative reading"}
        kind = TARIFFS.get(tariff, Flat)
        offers = {name: cls(hours).bill() for name, cls in TARIFFS.items()}
        best = min(offers, key=lambda name: (offers[name], name))
        return {"meter": meter, "bill": str(kind(hours).bill()), "best": best, "saving": str(kind(hours).bill() - offers[best])}
