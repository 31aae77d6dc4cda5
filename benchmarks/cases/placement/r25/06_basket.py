# stateful
"""Keeps the loyalty status, which is immutable itself but replaced after each purchase."""
from __future__ import annotations

from dataclasses import dataclass, replace

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, slots=True)
class Purchase:
    customer: str
    cents: int

    @property
    def points(self) -> int:
        return self.cents // 100


@dataclass(frozen=True, slots=True)
class Loyalty:
    points: int = 0
    level: str = "bronze"

    def after(self, purchase: Purchase) -> Loyalty:
        points = self.points + purchase.points
        level = "gold" if points >= 400 else "silver" if points >= 120 else "bronze"
        return replace(self, points=points, level=level)

    def discount(self) -> int:
        return {"bronze": 0, "silver": 3, "gold": 7}[self.level]


@dataclass(frozen=True, slots=True)
class Answer:
    customer: str
    to_pay: int
    level: str


class Basket(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.loyalty = Loyalty()

    @subscribe("/shop/checkout")
    def checkout(self, customer: str, cents: int) -> Answer:
        purchase = Purchase(customer, max(cents, 0))
        off = purchase.cents * self.loyalty.discount() // 100
        self.loyalty = self.loyalty.after(purchase)
        return Answer(customer, purchase.cents - off, self.loyalty.level)
