# stateful
"""Sorts the module's carrier list in place; the sort is stable, so ties come out in the order an earlier event left."""
from dataclasses import dataclass
from operator import attrgetter

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Carrier:
    code: str
    price: int
    days: int
    rating: int


CARRIERS = [
    Carrier("PST", 490, 3, 4),
    Carrier("DLX", 990, 1, 4),
    Carrier("SNL", 490, 6, 2),
    Carrier("ARR", 790, 1, 5),
    Carrier("VAN", 790, 3, 2),
]
CRITERIA = {"cheap": "price", "fast": "days", "good": "rating"}


def rank(criterion: str) -> list[Carrier]:
    attribute = CRITERIA.get(criterion, "price")
    CARRIERS.sort(key=attrgetter(attribute), reverse=attribute == "rating")
    return CARRIERS


class CarrierRanking(GraphBusNode):
    @subscribe("/Checkout/Quote")
    def on_quote(self, weight: int, wish: str) -> dict:
        offers = []
        for carrier in rank(wish):
            if weight > 20_000 and carrier.code == "SNL":
                continue
            surcharge = max(0, weight - 2_000) // 1_000 * 50
            offers.append({"carrier": carrier.code, "price": carrier.price + surcharge})
        return {"wish": wish, "offers": offers[:2]}
