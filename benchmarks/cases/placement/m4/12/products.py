"""Postal products register themselves when their class is made."""
from __future__ import annotations

from typing import ClassVar


class Product:
    registry: ClassVar[dict[str, type[Product]]] = {}
    code: ClassVar[str]
    steps: ClassVar[tuple[tuple[int, int], ...]]

    def __init_subclass__(cls, **kw) -> None:
        super().__init_subclass__(**kw)
        Product.registry[cls.code] = cls

    def postage(self, grams: int) -> int:
        for limit, cents in self.steps:
            if grams <= limit:
                return cents + self.extra(grams)
        raise ValueError(f"{grams} g is too heavy for {type(self).__name__}")

    def extra(self, grams: int) -> int:
        return 0


class Letter(Product):
    code = "L"
    steps = ((20, 85), (50, 100), (500, 160))


class Registered(Letter):
    code = "R"

    def extra(self, grams: int) -> int:
        return 265


class Parcel(Product):
    code = "P"
    steps = ((2000, 549), (5000, 699), (10000, 1049))

    def extra(self, grams: int) -> int:
        return 100 if grams > 8000 else 0
