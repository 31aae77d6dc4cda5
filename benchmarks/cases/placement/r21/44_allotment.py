# stateful
"""Keeps the free garden plots as one shared iterator, from which each lease takes the next ones."""
from itertools import islice, product
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

ROWS = "ABCDEF"
FLOODED = {("A", 1), ("A", 2), ("C", 4)}


def plots() -> Iterator[str]:
    for row, number in product(ROWS, range(1, 9)):
        if (row, number) not in FLOODED:
            yield f"{row}{number}"


def rent(square_metres: int, water: bool) -> Iterator[int]:
    yield 35 * square_metres
    if water:
        yield 1800
    if square_metres > 300:
        yield 2500


class Allotment(GraphBusNode):
    free = plots()

    @subscribe("/Garden/LeaseAsked")
    def on_lease(self, household: str, people: int, water: bool) -> dict[str, object]:
        wanted = 1 if people < 5 else 2
        given = list(islice(self.free, wanted))
        return {
            "household": household,
            "plots": given,
            "cents": sum(rent(180 * len(given), water)) if given else 0,
            "waiting": len(given) < wanted,
        }
