"""Articles of the shop."""
from dataclasses import dataclass


@dataclass
class Article:
    sku: str
    cents: int
    reduced_vat: bool = False

    def label(self):
        return f"{self.sku}: {self.cents / 100:.2f}"
