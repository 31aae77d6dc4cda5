# pure
"""Keeps nothing but the promotions that were registered when the module was loaded; the basket is the event's own."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

CATALOGUE = {"soap": (199, "care"), "shampoo": (449, "care"), "bread": (320, "food"), "milk": (119, "food"), "pen": (90, "office")}


@dataclass
class Basket:
    items: dict[str, int]
    coupon: str = ""
    discounts: list[tuple[str, int]] = field(default_factory=list)

    def subtotal(self, group: str | None = None) -> int:
        return sum(CATALOGUE[sku][0] * n for sku, n in self.items.items() if group in (None, CATALOGUE[sku][1]))


Promotion = Callable[[Basket], int]
PROMOTIONS: list[tuple[str, Promotion]] = []


def promotion(label: str) -> Callable[[Promotion], Promotion]:
    def register(rule: Promotion) -> Promotion:
        PROMOTIONS.append((label, rule))
        return rule
    return register


@promotion("3 for 2 on milk")
def third_milk(basket: Basket) -> int:
    return basket.items.get("milk", 0) // 3 * CATALOGUE["milk"][0]


@promotion("care week")
def care_week(basket: Basket) -> int:
    amount = basket.subtotal("care")
    return amount // 10 if amount >= 1000 else 0


@promotion("coupon")
def coupon(basket: Basket) -> int:
    spent = basket.subtotal() - sum(amount for _, amount in basket.discounts)
    return {"FIVE": 500, "TENTH": spent // 10}.get(basket.coupon.upper(), 0)


class Checkout(GraphBusNode):
    @subscribe("/Shop/Basket")
    def on_basket(self, items: dict[str, int], coupon: str) -> dict[str, object]:
        unknown = sorted(items.keys() - CATALOGUE.keys())
        basket = Basket({sku: n for sku, n in items.items() if sku in CATALOGUE and n > 0}, coupon)
        for label, rule in PROMOTIONS:
            if amount := rule(basket):
                basket.discounts.append((label, amount))
        total = max(0, basket.subtotal() - sum(amount for _, amount in basket.discounts))
        return {"total": f"{total / 100:.2f}", "discounts": [label for label, _ in basket.discounts], "unknown": unknown}
