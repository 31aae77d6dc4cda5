# pure
"""Keeps nothing: pallets are made for one consignment and forgotten with it."""
from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from itertools import chain, repeat

from graphbus_core import GraphBusNode, subscribe

BOX = {"XS": (0.02, 3.0), "S": (0.05, 8.0), "M": (0.12, 15.0), "L": (0.30, 32.0), "XL": (0.60, 60.0)}


@dataclass(order=True)
class Pallet:
    free: float
    number: int
    weight: float = field(default=0.0, compare=False)
    boxes: list[str] = field(default_factory=list, compare=False)

    def takes(self, size: str, limit: float) -> bool:
        volume, weight = BOX[size]
        return volume <= self.free + 1e-9 and self.weight + weight <= limit

    def load(self, size: str) -> None:
        volume, weight = BOX[size]
        self.free = round(self.free - volume, 6)
        self.weight += weight
        self.boxes.append(size)


class Loader:
    def __init__(self, volume: float, limit: float) -> None:
        self.volume, self.limit = volume, limit
        self.pallets: list[Pallet] = []

    def place(self, size: str) -> None:
        for index, pallet in enumerate(self.pallets):
            if pallet.takes(size, self.limit):
                del self.pallets[index]
                break
        else:
            pallet = Pallet(self.volume, len(self.pallets) + 1)
        pallet.load(size)
        insort(self.pallets, pallet)


class Consignments(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.kinds = {"euro": (1.2, 150.0), "half": (0.6, 70.0)}

    @subscribe("/Depot/Consignment")
    def on_consignment(self, kind: str, boxes: dict[str, int]) -> dict[str, object]:
        loader = Loader(*self.kinds.get(kind, self.kinds["euro"]))
        queue = chain.from_iterable(repeat(size, n) for size, n in boxes.items() if size in BOX)
        for size in sorted(queue, key=lambda s: BOX[s], reverse=True):
            loader.place(size)
        ordered = sorted(loader.pallets, key=lambda p: p.number)
        return {"pallets": [f"#{p.number} {p.weight:g} kg {'+'.join(p.boxes)}" for p in ordered], "count": len(ordered)}
