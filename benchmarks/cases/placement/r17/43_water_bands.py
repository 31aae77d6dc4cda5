# stateful
"""Keeps what is left of a zip object: the price bands are an iterator, and each bill eats some of it."""
from __future__ import annotations

from decimal import Decimal
from itertools import accumulate

from graphbus_core import GraphBusNode, subscribe

WIDTHS = (10, 20, 30, 60, 120)
PRICES = ("0.80", "1.15", "1.60", "2.40", "3.10")

BANDS = zip(accumulate(WIDTHS), map(Decimal, PRICES))
TOP_PRICE = Decimal("4.25")


def price_of(cubic_metres: int) -> Decimal:
    """The price of the first band that is wide enough."""
    for upper, price in BANDS:
        if cubic_metres <= upper:
            return price
    return TOP_PRICE


class WaterBands(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._base_fee = Decimal("6.50")

    @subscribe("/WaterMeters")
    def on_meter(self, household: str, previous: int, current: int) -> dict[str, str]:
        used = current - previous
        if used < 0:
            return {"household": household, "problem": "meter runs backwards"}
        price = price_of(used)
        return {
            "household": household,
            "used": f"{used} m3",
            "price": str(price),
            "amount": str(self._base_fee + price * used),
        }
