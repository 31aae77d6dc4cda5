# stateful
"""The cache's key compares equal for different parcels, so the first parcel's quote answers for later ones."""
from dataclasses import dataclass, field
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

ZONES = {"AT": 1, "DE": 1, "FR": 2, "ES": 3, "SE": 3}


@dataclass(frozen=True)
class Parcel:
    sender: str
    country: str
    grams: int = field(compare=False)
    insured: bool = field(default=False, compare=False)

    @property
    def kilos(self) -> int:
        return -(-self.grams // 1000)


@lru_cache(maxsize=512)
def quote(parcel: Parcel) -> int:
    cents = 390 + 110 * parcel.kilos * ZONES.get(parcel.country, 5)
    if parcel.insured:
        cents += max(150, cents // 20)
    return cents


class ParcelQuote(GraphBusNode):
    @subscribe("/Parcel/Quote")
    def on_parcel(self, sender: str, country: str, grams: int, insured: bool) -> dict[str, str]:
        cents = quote(Parcel(sender, country.upper(), grams, insured))
        return {"sender": sender, "price": f"{cents / 100:.2f} EUR"}
