# stateful
"""Books landings against the quota; a generator holds what is left of it."""
from typing import Generator

from graphbus_core import GraphBusNode, subscribe

QUOTA_KG = {"cod": 900, "plaice": 1500, "herring": 8000}
MIN_CM = {"cod": 35, "plaice": 27, "herring": 20}
GUTTED = {"cod": 1.17, "plaice": 1.05, "herring": 1.12}

Ledger = Generator[float, float, None]


def ledger(limit: float) -> Ledger:
    """Send it the live weight, get back how much of it may be sold."""
    allowed = 0.0
    while limit > 0:
        weight = yield allowed
        allowed = min(weight, limit)
        limit -= allowed
    while True:
        yield 0.0


def started(book: Ledger) -> Ledger:
    next(book)
    return book


def live_weight(species: str, kg: float, gutted: bool) -> float:
    return kg * GUTTED[species] if gutted else kg


def undersized(species: str, lengths: list[int]) -> float:
    """Share of the measured fish that is too small."""
    if not lengths:
        return 0.0
    return sum(length < MIN_CM[species] for length in lengths) / len(lengths)


class FishMarket(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._books = {species: started(ledger(kg)) for species, kg in QUOTA_KG.items()}

    @subscribe("/Fishing/Landing")
    def on_landing(self, boat: str, species: str, kg: float, gutted: bool, lengths: list[int]) -> dict[str, object]:
        if species not in self._books:
            return {"boat": boat, "sell": round(kg, 1), "note": "no quota"}
        if undersized(species, lengths) > 0.1:
            return {"boat": boat, "sell": 0.0, "note": "undersized"}
        live = live_weight(species, kg, gutted)
        sell = self._books[species].send(live)
        return {"boat": boat, "sell": round(sell, 1), "note": "" if sell == live else "over quota"}
