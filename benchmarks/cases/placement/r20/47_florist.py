# stateful
"""Prices bouquets; today's offers are meant to lie over the price list, but are written into its top layer."""
from collections import ChainMap, Counter

from graphbus_core import GraphBusNode, subscribe

STEMS = {"rose": 280, "tulip": 120, "lily": 390, "gerbera": 190, "fern": 60}
SEASONAL = {"tulip": 90, "sunflower": 250}


class Prices:
    """Seasonal prices hide the ordinary ones."""

    def __init__(self, *layers: dict[str, int]) -> None:
        self._chain = ChainMap({}, *layers)

    def with_offers(self, offers: dict[str, int]) -> "ChainMap[str, int]":
        view = self._chain
        for flower, percent in offers.items():
            if flower in view and 0 < percent < 100:
                view[flower] = view[flower] * (100 - percent) // 100
        return view


def stems(bouquet: str) -> Counter[str]:
    """'5 rose + 2 fern + lily'"""
    counted: Counter[str] = Counter()
    for part in bouquet.lower().split("+"):
        number, _, flower = part.strip().rpartition(" ")
        counted[flower] += int(number) if number.isdigit() else 1
    return counted


def binding(number: int) -> int:
    return 150 if number < 10 else 300 if number < 25 else 500


class FlowerShop(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.prices = Prices(SEASONAL, STEMS)

    @subscribe("/Florist/Bouquet")
    def on_bouquet(self, bouquet: str, offers: dict[str, int]) -> dict[str, object]:
        today = self.prices.with_offers(offers)
        wanted = stems(bouquet)
        lines = {f: n * today[f] for f, n in sorted(wanted.items()) if f in today}
        total = sum(lines.values()) + binding(sum(wanted.values()))
        return {"lines": lines, "total": f"{total / 100:.2f}", "missing": sorted(wanted.keys() - lines.keys())}
