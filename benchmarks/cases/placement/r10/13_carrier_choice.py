# stateful
"""Keeps the order of its carrier list, which is sorted in place and breaks ties by the order before."""
from collections.abc import Callable
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Carrier:
    name: str
    base: int
    per_kg: int
    days: int
    max_kg: int = 30

    def price(self, kilos: int) -> int:
        return self.base + self.per_kg * kilos


CARRIERS = [
    Carrier("postal", 400, 100, 3),
    Carrier("bluevan", 500, 50, 2),
    Carrier("sprinter", 700, 100, 1, max_kg=10),
    Carrier("freight", 600, 25, 5, max_kg=500),
    Carrier("courier", 400, 100, 2, max_kg=5),
]

PREFERENCES: dict[str, Callable[[int], Callable[[Carrier], int]]] = {
    "cheap": lambda kilos: lambda carrier: carrier.price(kilos),
    "fast": lambda kilos: lambda carrier: carrier.days,
    "heavy": lambda kilos: lambda carrier: -carrier.max_kg,
}


def rank(kilos: int, preference: str) -> list[Carrier]:
    key = PREFERENCES.get(preference, PREFERENCES["cheap"])(kilos)
    CARRIERS.sort(key=key)
    return [carrier for carrier in CARRIERS if carrier.max_kg >= kilos]


class CarrierChoice(GraphBusNode):
    @subscribe("/parcel/ready")
    def on_parcel(self, parcel: str, kilos: int, preference: str) -> dict[str, object]:
        ranked = rank(kilos, preference)
        if not ranked:
            return {"parcel": parcel, "carrier": None}
        best, *rest = ranked
        return {"parcel": parcel, "carrier": best.name, "price": best.price(kilos), "fallback": rest[0].name if rest else None}
