# stateful
"""The cache's key leaves out a field with compare=False that the price depends on, so the first of two shipments decides."""
from dataclasses import dataclass, field
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

KM = {("HAM", "MUC"): 790, ("HAM", "CGN"): 425, ("CGN", "MUC"): 575, ("BER", "HAM"): 290}
RATE_PER_KM = 0.011


@dataclass(frozen=True, order=True)
class Shipment:
    origin: str
    destination: str
    weight: int
    handling: str = field(default="standard", compare=False)

    @property
    def distance(self) -> int:
        pair = (self.origin, self.destination)
        return KM.get(pair) or KM.get(pair[::-1]) or 600

    @property
    def surcharge(self) -> float:
        return {"standard": 1.0, "fragile": 1.25, "cooled": 1.6}.get(self.handling, 1.1)


@lru_cache(maxsize=1024)
def quote(shipment: Shipment) -> int:
    """Price in cents."""
    base = 1200 + shipment.distance * RATE_PER_KM * max(shipment.weight, 5) * 10
    return round(base * shipment.surcharge)


class FreightQuotes(GraphBusNode):
    @subscribe("/Freight/Quote")
    def on_quote(self, origin: str, destination: str, weight: int, handling: str) -> dict[str, object]:
        shipment = Shipment(origin.upper(), destination.upper(), weight, handling)
        cents = quote(shipment)
        return {
            "route": f"{shipment.origin}-{shipment.destination}",
            "km": shipment.distance,
            "price": f"{cents // 100}.{cents % 100:02d}",
        }
