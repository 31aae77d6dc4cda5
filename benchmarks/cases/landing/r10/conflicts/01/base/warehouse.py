"""Stock kept in one warehouse."""
from dataclasses import dataclass, field


@dataclass
class Warehouse:
    name: str
    stock: dict = field(default_factory=dict)
    reserved: dict = field(default_factory=dict)

    def receive(self, sku, quantity):
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        self.stock[sku] = self.stock.get(sku, 0) + quantity

    def reserve(self, sku, quantity):
        """Put units aside for an order; they stay on the shelf until shipped."""
        self.reserved[sku] = self.reserved.get(sku, 0) + quantity

    def ship(self, sku, quantity):
        if quantity > self.available(sku):
            raise ValueError(f"only {self.available(sku)} of {sku} left")
        self.stock[sku] -= quantity

    def available(self, sku):
        """Units on the shelf."""
        return self.stock.get(sku, 0)

    def skus(self):
        return sorted(self.stock)
