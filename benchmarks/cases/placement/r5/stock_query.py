# stateful
"""Keeps articles that were only asked for: reading a defaultdict puts them in, and the catalogue then knows them."""
from collections import defaultdict
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Level:
    count: int = 0
    shelf: str = "?"


def opening_stock() -> defaultdict[str, Level]:
    stock: defaultdict[str, Level] = defaultdict(Level)
    stock.update({
        "bolt-m6": Level(120, "A1"),
        "bolt-m8": Level(0, "A2"),
        "nut-m6": Level(80, "B1"),
        "washer": Level(7, "B4"),
    })
    return stock


class StockQuery(GraphBusNode):
    """Tells the shop whether something is there, and what else there is under that name."""

    _stock = opening_stock()

    def _similar(self, article: str) -> list[str]:
        stem = article.split("-")[0]
        return sorted(name for name in self._stock if name.startswith(stem) and name != article)

    @subscribe("/Stock/Ask")
    def on_ask(self, article: str, wanted: int) -> dict[str, object]:
        known = article in self._stock
        level = self._stock[article]
        return {
            "article": article,
            "available": level.count >= wanted,
            "shelf": level.shelf,
            "hint": "low" if 0 < level.count < 10 else "",
            "known": known,
            "similar": self._similar(article),
        }
