# stateful
"""Keeps a flag: the shared decimal context never forgets that something was once rounded."""
from __future__ import annotations

from decimal import Context, Decimal, Inexact, ROUND_HALF_UP
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

GRID = Context(prec=9, rounding=ROUND_HALF_UP, traps=[])
PLACES = Decimal("0.001")


class Share(NamedTuple):
    flat: str
    kwh: Decimal

    def render(self) -> str:
        return f"{self.flat}={self.kwh}"


def split(total: Decimal, areas: dict[str, int]) -> list[Share]:
    whole = Decimal(sum(areas.values()))
    shares = []
    for flat, area in sorted(areas.items()):
        part = GRID.divide(GRID.multiply(total, Decimal(area)), whole)
        shares.append(Share(flat, GRID.quantize(part, PLACES)))
    return shares


class MeterShares(GraphBusNode):
    """Splits a house meter over its flats and says whether the split is exact."""

    @subscribe("/HouseMeter")
    def on_meter(self, kwh: str, areas: dict[str, int]) -> dict[str, object]:
        total = GRID.create_decimal(kwh)
        if total.is_nan() or not areas or sum(areas.values()) <= 0:
            return {"error": "cannot split"}
        shares = split(total, areas)
        spread = sum((share.kwh for share in shares), Decimal(0))
        return {
            "shares": [share.render() for share in shares],
            "rest": str(total - spread),
            "exact": not GRID.flags[Inexact],
        }
