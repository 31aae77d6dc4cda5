# stateful
"""Keeps the first quote for each customer: the memo's key leaves out the quantity."""
from enum import Enum
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe


class Tier(Enum):
    RETAIL = "retail"
    TRADE = "trade"
    PARTNER = "partner"


DISCOUNT = {Tier.RETAIL: Fraction(0), Tier.TRADE: Fraction(1, 10), Tier.PARTNER: Fraction(1, 5)}
CATALOGUE = {"bolt": 12, "plate": 450, "hinge": 85}
BREAKS = ((1000, Fraction(3, 20)), (100, Fraction(1, 20)), (0, Fraction(0)))


def volume_discount(quantity: int) -> Fraction:
    return next(rate for floor, rate in BREAKS if quantity >= floor)


def unit_price(sku: str, tier: Tier, quantity: int) -> int:
    factor = (1 - DISCOUNT[tier]) * (1 - volume_discount(quantity))
    return round(CATALOGUE[sku] * factor)


class PriceQuote(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict[tuple[str, Tier], int] = {}

    def _unit(self, sku: str, tier: Tier, quantity: int) -> int:
        key = (sku, tier)
        if key not in self._memo:
            self._memo[key] = unit_price(sku, tier, quantity)
        return self._memo[key]

    @subscribe("/Quotes/Asked")
    def on_asked(self, sku: str, tier: str, quantity: int) -> dict[str, object]:
        if sku not in CATALOGUE or quantity < 1:
            return {"accepted": False}
        unit = self._unit(sku, Tier(tier), quantity)
        return {"accepted": True, "unit": unit, "total": unit * quantity}
