from dataclasses import dataclass


@dataclass
class Item:
    sku: str
    cost: int
    count: int = 1
