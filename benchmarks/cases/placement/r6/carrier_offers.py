# stateful
"""The carrier table is sorted in place, and a stable sort leaves ties as the sort before left them."""
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Carrier:
    name: str
    days: int
    cents_per_kg: int
    green: int


CARRIERS = [
    Carrier("Nordfracht", 2, 90, 3),
    Carrier("Quickline", 1, 140, 1),
    Carrier("Baltic Rail", 4, 60, 5),
    Carrier("Hansa Post", 2, 60, 3),
    Carrier("Meridian", 1, 140, 3),
    Carrier("Overland", 4, 90, 1),
]

ORDERINGS = {
    "speed": lambda c: c.days,
    "price": lambda c: c.cents_per_kg,
    "climate": lambda c: -c.green,
}


class CarrierOffers(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._carriers = list(CARRIERS)

    def _ranked(self, wish: str) -> list[Carrier]:
        ranked = self._carriers
        ranked.sort(key=ORDERINGS.get(wish, ORDERINGS["price"]))
        return ranked

    @subscribe("/shipment/offer")
    def on_offer(self, weight_kg: float, wish: str) -> dict[str, object]:
        best = self._ranked(wish)[:3]
        return {
            "offers": [
                {"carrier": c.name, "cents": round(c.cents_per_kg * weight_kg), "days": c.days}
                for c in best
            ]
        }
