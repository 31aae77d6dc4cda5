"""What the shop sells."""
from dataclasses import dataclass
from enum import Enum


class Category(Enum):
    BOOK = "book"
    FOOD = "food"
    TOOL = "tool"

    @property
    def vat_percent(self) -> int:
        return VAT[self.value]


VAT = {"book": 7, "food": 7, "tool": 19}


@dataclass(frozen=True)
class Product:
    sku: str
    title: str
    category: Category
    cents: int
    grams: int = 0

    def gross(self) -> int:
        return self.cents + self.cents * self.category.vat_percent // 100


_ROWS = (
    Product("B-100", "Pocket Atlas", Category.BOOK, 1250, 310),
    Product("B-200", "Bird Guide", Category.BOOK, 2400, 780),
    Product("F-010", "Rye Bread", Category.FOOD, 390, 1000),
    Product("F-020", "Olive Oil", Category.FOOD, 899, 750),
    Product("T-007", "Claw Hammer", Category.TOOL, 1799, 900),
)

PRODUCTS = {p.sku: p for p in _ROWS}


def find(sku: str) -> Product | None:
    return PRODUCTS.get(sku.strip().upper())
