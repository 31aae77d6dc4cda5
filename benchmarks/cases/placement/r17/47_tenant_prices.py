# pure
"""Keeps nothing: the context variables are set for one event and put back whatever happens."""
from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import cached_property, partial
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

currency: ContextVar[str] = ContextVar("currency", default="EUR")
discount: ContextVar[Fraction] = ContextVar("discount", default=Fraction(0))


@contextmanager
def terms(code: str, percent: int) -> Iterator[None]:
    tokens = [(currency, currency.set(code)), (discount, discount.set(Fraction(percent, 100)))]
    try:
        yield
    finally:
        while tokens:
            variable, token = tokens.pop()
            variable.reset(token)


def money(amount: Fraction, digits: int = 2) -> str:
    scaled = round(amount * 10**digits)
    sign = "-" if scaled < 0 else ""
    whole, rest = divmod(abs(scaled), 10**digits)
    return f"{sign}{whole:,}.{rest:0{digits}d} {currency.get()}".replace(",", " ")


class PriceBook:
    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def prices(self) -> dict[str, Fraction]:
        pairs = (entry.split("=") for entry in self._text.split())
        return {name: Fraction(price) for name, price in pairs}

    def price(self, name: str) -> Fraction:
        return self.prices[name] * (1 - discount.get())


class TenantPrices(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._book = PriceBook("rope=4.20 harness=61.75 helmet=38 carabiner=9.99 chalk=5.5")
        self._whole = partial(money, digits=0)

    @subscribe("/Carts")
    def on_cart(self, items: dict[str, int], code: str, percent: int) -> dict[str, object]:
        if not 0 <= percent < 100:
            return {"total": money(Fraction(0)), "error": "discount"}
        try:
            with terms(code.upper() or currency.get(), percent):
                total = sum((self._book.price(name) * count for name, count in items.items()), Fraction(0))
                return {"total": money(total), "about": self._whole(total), "exact": str(total)}
        except KeyError as missing:
            return {"total": money(Fraction(0)), "error": f"no price for {missing}"}
