from dataclasses import dataclass

from app.pricing import price_for


@dataclass
class Item:
    sku: str
    cost: int
    count: int = 1

    @property
    def price(self):
        return price_for(self.cost) * self.count
