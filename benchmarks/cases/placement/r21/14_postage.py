# pure
"""Keeps nothing: the products are fixed classes and each letter is priced on its own."""
from graphbus_core import GraphBusNode, subscribe


class Product:
    catalogue: list["Product"] = []

    def __init__(self, name: str, cents: int, max_grams: int, max_mm: int) -> None:
        self.name, self.cents = name, cents
        self.max_grams, self.max_mm = max_grams, max_mm
        Product.catalogue.append(self)

    def fits(self, grams: int, mm: int) -> bool:
        return grams <= self.max_grams and mm <= self.max_mm

    def price(self, grams: int, registered: bool) -> int:
        return self.cents + (265 if registered else 0)


class Parcel(Product):
    def price(self, grams: int, registered: bool) -> int:
        steps = -(-grams // 1000)
        return super().price(grams, False) + 40 * max(steps - 2, 0)


Product("standard", 95, 20, 5)
Product("compact", 110, 50, 10)
Product("large", 180, 500, 20)
Product("maxi", 290, 1000, 50)
Parcel("parcel", 549, 31_500, 600)


class Postage(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.products = sorted(Product.catalogue, key=lambda product: product.cents)

    @subscribe("/Letter/Weighed")
    def on_weighed(self, grams: int, mm: int, registered: bool) -> dict[str, str | int]:
        for product in self.products:
            if product.fits(grams, mm):
                return {"product": product.name, "cents": product.price(grams, registered)}
        return {"product": "freight", "cents": 0}
