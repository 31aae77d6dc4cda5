# stateful
"""Quotes are cached on a key that leaves the customer's tier out, so the first tier to ask sets the price."""
from dataclasses import dataclass, field
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

LIST_PRICE = {"tea": 4.2, "mug": 9.5, "pot": 34.0}
REBATE = {"retail": 0.0, "trade": 0.18, "staff": 0.4}
BREAKS = ((50, 0.10), (10, 0.05))


@dataclass(frozen=True)
class Inquiry:
    sku: str
    qty: int
    tier: str = field(default="retail", compare=False)


def volume_rebate(qty):
    return next((r for least, r in BREAKS if qty >= least), 0.0)


@lru_cache(maxsize=256)
def unit_price(inquiry):
    base = LIST_PRICE[inquiry.sku]
    best = max(REBATE[inquiry.tier], volume_rebate(inquiry.qty))
    return round(base * (1 - best), 2)


class QuoteDesk(GraphBusNode):
    @subscribe("/shop/inquiry")
    def on_inquiry(self, sku: str, tier: str, qty: int) -> dict:
        if sku not in LIST_PRICE:
            return {"sku": sku, "available": False}
        each = unit_price(Inquiry(sku, qty, tier))
        return {"sku": sku, "available": True, "each": each, "total": round(each * qty, 2)}
