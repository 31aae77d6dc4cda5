# pure
from dataclasses import dataclass
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

ZONES = {"DE": 1, "FR": 2, "PL": 2, "US": 4}


@dataclass(frozen=True)
class Parcel:
    country: str
    grams: int
    insured: bool = False


@lru_cache(maxsize=4096)
def price(parcel: Parcel) -> int:
    zone = ZONES.get(parcel.country, 5)
    cents = 350 * zone + parcel.grams // 500 * 120
    return cents + (250 if parcel.insured else 0)


class ShippingPrice(GraphBusNode):
    @subscribe("/Parcel/Measured")
    def on_measured(self, payload):
        parcel = Parcel(payload["country"], payload["grams"], payload.get("insured", False))
        self.publish("/Parcel/Priced", {"id": payload["id"], "cents": price(parcel)})
