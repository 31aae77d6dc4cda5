"""Placing an order."""
from __future__ import annotations

from dataclasses import dataclass

from depot.stock import OutOfStock, Stock


@dataclass
class Checkout:
    stock: Stock

    def place(self, order: str, lines: dict[str, int]) -> bool:
        """All lines or none of them."""
        try:
            for sku, qty in lines.items():
                self.stock.reserve(sku, qty, order)
        except OutOfStock:
            self.stock.release(order)
            return False
        return True
