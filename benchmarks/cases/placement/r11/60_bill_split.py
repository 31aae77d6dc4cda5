# pure
"""Splits an amount by weights with an immutable value object whose derived values are cached on that one object."""
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, total_ordering

from graphbus_core import GraphBusNode, subscribe


@total_ordering
@dataclass(frozen=True)
class Money:
    cents: int
    currency: str = "EUR"

    def __add__(self, other: "Money") -> "Money":
        if other.currency != self.currency:
            raise ValueError(f"{self.currency} and {other.currency}")
        return Money(self.cents + other.cents, self.currency)

    def __lt__(self, other: "Money") -> bool:
        return (self.currency, self.cents) < (other.currency, other.cents)

    def __str__(self) -> str:
        return f"{self.cents // 100}.{self.cents % 100:02d} {self.currency}"


class Split:
    def __init__(self, total: Money, weights: dict[str, int]) -> None:
        self.total = total
        self.weights = {name: max(0, weight) for name, weight in weights.items()}

    @cached_property
    def exact(self) -> dict[str, Fraction]:
        whole = sum(self.weights.values())
        return {name: Fraction(self.total.cents * weight, whole) for name, weight in self.weights.items()}

    @cached_property
    def shares(self) -> dict[str, Money]:
        floors = {name: int(share) for name, share in self.exact.items()}
        missing = self.total.cents - sum(floors.values())
        order = sorted(floors, key=lambda name: (floors[name] - self.exact[name], name))
        for name in order[:missing]:
            floors[name] += 1
        return {name: Money(cents, self.total.currency) for name, cents in floors.items()}


class BillSplit(GraphBusNode):
    @subscribe("/Bills/Split")
    def on_split(self, cents: int, currency: str, weights: dict[str, int]) -> dict:
        if cents < 0 or not any(weight > 0 for weight in weights.values()):
            return {"error": "nothing to split"}
        split = Split(Money(cents, currency.upper()), weights)
        check = sum(split.shares.values(), Money(0, split.total.currency))
        largest = max(split.shares, key=lambda name: (split.shares[name], name))
        return {"shares": {n: str(s) for n, s in split.shares.items()}, "largest": largest, "exact": check == split.total}
