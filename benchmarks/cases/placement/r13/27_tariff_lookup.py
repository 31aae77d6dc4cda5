# stateful
"""lru_cache hands out the same list each time and the handler appends to it."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

OPTIONS = {"basic": "liability", "plus": "liability,partial", "top": "liability,partial,full"}


@lru_cache(maxsize=None)
def options(level: str) -> list[str]:
    return OPTIONS.get(level, "liability").split(",")


class TariffLookup(GraphBusNode):
    prices = {"liability": 300, "partial": 120, "full": 310, "roadside": 25}

    @subscribe("/Tariff/Lookup")
    def lookup(self, level: str, roadside: bool) -> dict[str, object]:
        chosen = options(level)
        if roadside:
            chosen += ["roadside"]
        return {"level": level, "price": sum(self.prices[c] for c in chosen), "covers": tuple(chosen)}
