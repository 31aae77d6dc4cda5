"""A basket is made for one request and thrown away."""
from catalog import Product, find


class Basket:
    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.unknown: list[str] = []

    @classmethod
    def of(cls, skus: list[str]) -> "Basket":
        basket = cls()
        for sku in skus:
            basket.add(sku)
        return basket

    def add(self, sku: str) -> None:
        product = find(sku)
        if product is None:
            self.unknown.append(sku)
            return
        self.lines[product.sku] = self.lines.get(product.sku, 0) + 1

    def products(self) -> list[tuple[Product, int]]:
        return [(find(sku), n) for sku, n in sorted(self.lines.items())]

    def total(self) -> int:
        return sum(p.gross() * n for p, n in self.products())
