"""Articles of the shop."""
from dataclasses import dataclass

from pricing import net_price


@dataclass
class Article:
    sku: str
    cents: int
    reduced_vat: bool = False

    def net(self):
        return net_price(self.cents, self.reduced_vat)

    def label(self):
        return f"{self.sku}: {self.cents / 100:.2f}"
