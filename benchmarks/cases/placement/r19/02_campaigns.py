# stateful
"""Bookings are taken off the budget of campaign objects which stand in a module table that looks like settings."""
from dataclasses import dataclass
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


class Pricing(Protocol):
    def price(self, millimetres: int, columns: int) -> int: ...


@dataclass(frozen=True)
class PerMillimetre:
    cents: int

    def price(self, millimetres: int, columns: int) -> int:
        return millimetres * columns * self.cents


@dataclass(frozen=True)
class Flat:
    cents: int

    def price(self, millimetres: int, columns: int) -> int:
        return self.cents * max(1, columns // 2)


@dataclass
class Campaign:
    customer: str
    pricing: Pricing
    budget: int

    def book(self, millimetres: int, columns: int) -> int | None:
        price = self.pricing.price(millimetres, columns)
        if price > self.budget:
            return None
        self.budget -= price
        return price


CAMPAIGNS = {
    "KINO": Campaign("Capitol Cinema", PerMillimetre(95), 250_000),
    "BAU": Campaign("Timber Yard", Flat(48_000), 400_000),
    "OPTIK": Campaign("Optics House", PerMillimetre(120), 90_000),
}
WALK_IN = PerMillimetre(140)


class AdDesk(GraphBusNode):
    @subscribe("/Paper/Ads")
    def on_ad(self, campaign: str, millimetres: int, columns: int) -> dict[str, object]:
        known = CAMPAIGNS.get(campaign)
        if known is None:
            return {"customer": "cash", "price": WALK_IN.price(millimetres, columns), "printed": True}
        price = known.book(millimetres, columns)
        return {"customer": known.customer, "price": price or 0, "printed": price is not None}
