# pure
"""Keeps nothing: bins are popped off and pushed on a heap that the call makes from its arguments."""
import heapq
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

BOX_SIZES = {"S": 5_000, "M": 12_000, "L": 20_000}
FRAGILE_MARGIN = 1.15


@dataclass(order=True)
class Box:
    used: int
    number: int
    items: list[str] = field(default_factory=list, compare=False)

    def add(self, name: str, grams: int) -> "Box":
        self.used += grams
        self.items.append(name)
        return self


def padded(name: str, grams: int) -> int:
    return round(grams * FRAGILE_MARGIN) if name.endswith("!") else grams


def spread(items: dict[str, int], boxes: int) -> list[Box]:
    heap = [Box(0, number) for number in range(1, boxes + 1)]
    for name, grams in sorted(items.items(), key=lambda kv: (-kv[1], kv[0])):
        box = heapq.heappop(heap)
        heapq.heappush(heap, box.add(name, padded(name, grams)))
    return sorted(heap, key=lambda box: box.number)


class PackingList(GraphBusNode):
    @subscribe("/Warehouse/Order")
    def on_order(self, order: int, size: str, items: dict[str, int]) -> dict[str, object]:
        limit = BOX_SIZES.get(size)
        if limit is None or any(padded(n, g) > limit for n, g in items.items()):
            return {"order": order, "boxes": None}
        packed = spread(items, 1)
        while any(box.used > limit for box in packed):
            packed = spread(items, len(packed) + 1)
        return {"order": order, "boxes": [(box.number, box.used, box.items) for box in packed]}
