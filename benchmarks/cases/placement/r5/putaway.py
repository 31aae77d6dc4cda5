# stateful
"""Keeps the free places of every aisle in a class attribute, reached through a sorted view of each new planner."""
from dataclasses import dataclass
from typing import ClassVar, Iterator

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Aisle:
    label: str
    max_weight: int
    free: int

    def fits(self, pallets: int, weight: int) -> bool:
        return self.free >= pallets and weight <= self.max_weight

    def take(self, pallets: int) -> range:
        first = self.free - pallets
        self.free = first
        return range(first, first + pallets)


class Planner:
    """A throw-away planner for one delivery."""

    layout: ClassVar[list[Aisle]] = [
        Aisle("A", 400, 6),
        Aisle("B", 800, 6),
        Aisle("C", 1500, 4),
    ]

    def __init__(self, weight: int) -> None:
        self.weight = weight
        self.aisles = sorted(self.layout, key=lambda aisle: aisle.max_weight)

    def candidates(self, pallets: int) -> Iterator[Aisle]:
        return (aisle for aisle in self.aisles if aisle.fits(pallets, self.weight))

    def place(self, pallets: int) -> list[str]:
        aisle = next(self.candidates(pallets), None)
        if aisle is None:
            return []
        return [f"{aisle.label}{place:02d}" for place in aisle.take(pallets)]


class Putaway(GraphBusNode):
    """Tells the fork lift where a delivery goes."""

    @subscribe("/Warehouse/Delivery")
    def on_delivery(self, article: str, pallets: int, pallet_weight: int) -> dict[str, object]:
        places = Planner(pallet_weight).place(pallets)
        return {"article": article, "places": places, "overflow": not places}
