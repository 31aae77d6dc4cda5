# stateful
"""Keeps the first quote per parcel class, since the cache key leaves out a field that counts (compare=False)."""
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")
ZONES = {"DE": 1, "AT": 1, "FR": 2, "IT": 2, "US": 4, "JP": 5}
PER_KILO = {1: Decimal("1.20"), 2: Decimal("2.10"), 4: Decimal("6.75"), 5: Decimal("8.40")}


@dataclass(frozen=True, slots=True)
class Parcel:
    country: str
    grams: int
    express: bool = False
    insured_value: Decimal = field(default=Decimal(0), compare=False)
    reference: str = field(default="", compare=False, repr=False)

    @property
    def zone(self) -> int:
        return ZONES.get(self.country, 5)

    @property
    def kilos(self) -> int:
        return max(1, -(-self.grams // 1000))


@cache
def quote(parcel: Parcel) -> Decimal:
    price = Decimal("3.90") + PER_KILO[parcel.zone] * parcel.kilos
    if parcel.express:
        price *= Decimal("1.8")
    if parcel.insured_value > 500:
        price += parcel.insured_value * Decimal("0.006")
    return price.quantize(CENT, ROUND_HALF_UP)


class ShippingQuotes(GraphBusNode):
    @subscribe("/shipping/quote")
    def on_quote(self, reference: str, country: str, grams: int, express: bool, value: str) -> dict[str, str]:
        parcel = Parcel(country.upper(), grams, express, Decimal(value), reference)
        return {"reference": reference, "price": str(quote(parcel))}
