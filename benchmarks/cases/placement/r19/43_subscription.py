# pure
"""A quote is rebuilt with replace() by rules that only read the request."""
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Quote:
    monthly: int
    months: int
    notes: tuple[str, ...] = ()

    def less(self, percent: int, note: str) -> "Quote":
        cut = self.monthly - self.monthly * percent // 100
        return replace(self, monthly=cut, notes=self.notes + (note,))


class Discount(Protocol):
    def apply(self, quote: Quote, age: int, years: int) -> Quote: ...


@dataclass(frozen=True)
class Youth:
    limit: int = 27

    def apply(self, quote: Quote, age: int, years: int) -> Quote:
        return quote.less(40, "youth") if age < self.limit else quote


@dataclass(frozen=True)
class Loyalty:
    steps: tuple[tuple[int, int], ...] = ((10, 15), (5, 8))

    def apply(self, quote: Quote, age: int, years: int) -> Quote:
        for least, percent in self.steps:
            if years >= least:
                return quote.less(percent, f"{least} years loyal")
        return quote


@dataclass(frozen=True)
class LongTerm:
    def apply(self, quote: Quote, age: int, years: int) -> Quote:
        return quote.less(5, "long term") if quote.months >= 24 else quote


def discounted(quote: Quote, rules: Iterable[Discount], age: int, years: int) -> Quote:
    for rule in rules:
        quote = rule.apply(quote, age, years)
    return quote


class SubscriptionDesk(GraphBusNode):
    prices = {"daily": 4990, "weekend": 2490, "digital": 1490}

    def __init__(self) -> None:
        super().__init__()
        self._rules: list[Discount] = [Youth(), Loyalty(), LongTerm()]
        self._last: Quote | None = None

    @subscribe("/Paper/Subscriptions")
    def on_request(self, edition: str, months: int, age: int, years: int) -> dict[str, object]:
        self._last = Quote(self.prices.get(edition, 4990), months)
        quote = discounted(self._last, self._rules, age, years)
        self._last = quote
        return {"edition": edition, "monthly": quote.monthly, "notes": list(quote.notes)}
