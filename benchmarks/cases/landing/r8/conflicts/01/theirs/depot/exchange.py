"""Swapping an article the customer sent back for another size."""
from __future__ import annotations

from dataclasses import dataclass, field

from depot.stock import OutOfStock, Stock


@dataclass
class ExchangeDesk:
    stock: Stock
    refunds: list[tuple[str, str, int]] = field(default_factory=list)

    def swap(self, order: str, old: str, new: str, qty: int) -> str:
        """Book `old` back in and promise `new`; refund if there is none."""
        self.stock.on_hand[old] = self.stock.on_hand.get(old, 0) + qty
        try:
            self.stock.reserve(new, qty, order)
        except OutOfStock:
            self.refunds.append((order, old, qty))
            return "refund"
        return "swap"
