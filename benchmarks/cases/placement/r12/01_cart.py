# pure
"""Every event folds its own cart lines from a fresh zero; the price table is only read."""
from __future__ import annotations

from functools import reduce
from operator import add
from typing import NamedTuple, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Line(TypedDict):
    sku: str
    qty: int


class Money(NamedTuple):
    cents: int
    currency: str = "EUR"

    def __add__(self, other: object) -> Money:  # type: ignore[override]
        if not isinstance(other, Money):
            return NotImplemented
        if other.currency != self.currency:
            raise ValueError(f"cannot add {other.currency} to {self.currency}")
        return self._replace(cents=self.cents + other.cents)

    def __mul__(self, factor: int) -> Money:  # type: ignore[override]
        return self._replace(cents=self.cents * factor)

    def __str__(self) -> str:
        sign = "-" if self.cents < 0 else ""
        whole, part = divmod(abs(self.cents), 100)
        return f"{sign}{whole}.{part:02d} {self.currency}"


PRICES = {"mug": Money(899), "tee": Money(1950), "cap": Money(1290)}
ZERO = Money(0)


def price_of(line: Line) -> Money:
    return PRICES.get(line["sku"], ZERO) * max(0, line["qty"])


class CartTotals(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.free_shipping_from = Money(5000)

    @subscribe("/Cart/Changed")
    def on_cart(self, cart_id: str, lines: list[Line]) -> dict[str, object]:
        goods = reduce(add, map(price_of, lines), ZERO)
        shipping = ZERO if goods.cents >= self.free_shipping_from.cents else Money(490)
        unknown = sorted({line["sku"] for line in lines} - PRICES.keys())
        return {
            "cart": cart_id,
            "goods": str(goods),
            "shipping": str(shipping),
            "total": str(goods + shipping),
            "unknown": unknown,
        }
