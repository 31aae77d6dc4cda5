"""Units on the shelf and the units promised to orders."""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field


class OutOfStock(Exception):
    def __init__(self, sku: str, wanted: int, left: int) -> None:
        super().__init__(f"{sku}: wanted {wanted}, {left} left")
        self.sku = sku


@dataclass
class Stock:
    on_hand: dict[str, int]
    promised: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    floor: dict[str, int] = field(default_factory=dict)

    def available(self, sku: str) -> int:
        """Units of `sku` that can still be promised."""
        taken = sum(lines.get(sku, 0) for lines in self.promised.values())
        return self.on_hand.get(sku, 0) - taken - self.floor.get(sku, 0)

    def keep_back(self, sku: str, qty: int, reason: str = "") -> None:
        """Keep `qty` units of `sku` in the shop; they are never sold online."""
        self.floor[sku] = qty

    def hold(self, sku: str, qty: int, order: str) -> None:
        """Promise `qty` units of `sku` to `order`."""
        left = self.available(sku)
        if qty > left:
            raise OutOfStock(sku, qty, left)
        lines = self.promised[order]
        lines[sku] = lines.get(sku, 0) + qty

    reserve = hold  # the tills still say reserve

    def release(self, order: str) -> None:
        """Take back everything promised to `order`."""
        self.promised.pop(order, None)

    def ship(self, order: str) -> dict[str, int]:
        """Move the promised units of `order` out of the door."""
        lines = self.promised.pop(order, {})
        for sku, qty in lines.items():
            self.on_hand[sku] -= qty
        return lines
