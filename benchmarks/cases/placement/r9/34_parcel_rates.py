# pure
"""Looks up the cheapest service in constant tables."""
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

DIVISOR = 5000


class Service(NamedTuple):
    name: str
    max_weight: float
    max_girth: float
    base: float
    per_kilo: float
    zones: frozenset[str]


SERVICES = [
    Service("letterbox", 1.0, 90, 2.75, 0.0, frozenset({"DE"})),
    Service("standard", 31.5, 300, 4.20, 0.55, frozenset({"DE", "EU"})),
    Service("express", 31.5, 250, 11.90, 0.90, frozenset({"DE", "EU", "WORLD"})),
    Service("freight", 700.0, 900, 58.00, 0.28, frozenset({"DE", "EU"})),
]


def girth(sides: list[float]) -> float:
    longest, *rest = sorted(sides, reverse=True)
    return longest + 2 * sum(rest)


def billable(weight: float, sides: list[float]) -> float:
    volume = 1.0
    for side in sides:
        volume *= side
    return max(weight, volume / DIVISOR)


class ParcelRates(GraphBusNode):
    @subscribe("/Parcel/Measured")
    def on_measured(self, parcel: str, weight: float, sides: list[float], zone: str) -> dict[str, object]:
        if len(sides) != 3 or min(sides) <= 0:
            return {"parcel": parcel, "error": "three positive sides needed"}
        heavy = billable(weight, sides)
        offers = [
            (round(service.base + service.per_kilo * heavy, 2), service.name)
            for service in SERVICES
            if zone in service.zones and heavy <= service.max_weight and girth(sides) <= service.max_girth
        ]
        if not offers:
            return {"parcel": parcel, "error": "no service"}
        price, name = min(offers)
        return {"parcel": parcel, "service": name, "price": price, "billed": round(heavy, 2)}
