# stateful
"""Asking a defaultdict for an article it lacks adds the article, and the report counts what is in it."""
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

SHELVES = [
    ("bolt-m6", "A1", 40), ("bolt-m6", "C2", 15), ("nut-m6", "A1", 55),
    ("washer-6", "B4", 200), ("rod-300", "D1", 4), ("rod-300", "D2", 0),
]


def by_article(rows: list[tuple[str, str, int]]) -> defaultdict[str, dict[str, int]]:
    table: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for article, shelf, pieces in rows:
        table[article][shelf] = pieces
    return table


class ShelfReport(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stock = by_article(SHELVES)

    @subscribe("/stock/ask")
    def on_ask(self, article: str, pieces: int) -> dict[str, object]:
        places = self._stock[article]
        total = sum(places.values())
        return {"article": article, "enough": total >= pieces, "shelves": sorted(places)}

    @subscribe("/stock/short")
    def on_short(self, below: int) -> dict[str, object]:
        low = [name for name, places in self._stock.items() if sum(places.values()) < below]
        return {"below": below, "articles": sorted(low), "of": len(self._stock)}
