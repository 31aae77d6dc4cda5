# stateful
"""Remembers converted rates by currency pair alone although the rate is the event's, so the first rate of a pair stays in force."""
from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import wraps

from graphbus_core import GraphBusNode, subscribe

SCALE = {"JPY": 0, "EUR": 2, "USD": 2, "KWD": 3, "GBP": 2}
SPREAD = {"retail": Decimal("0.018"), "business": Decimal("0.006"), "bank": Decimal("0")}


def remember(function: Callable[..., Decimal]) -> Callable[..., Decimal]:
    known: dict[tuple[str, str, str], Decimal] = {}

    @wraps(function)
    def wrapper(source: str, target: str, customer: str, mid: str) -> Decimal:
        key = (source, target, customer)
        if key not in known:
            known[key] = function(source, target, customer, mid)
        return known[key]

    return wrapper


@remember
def rate(source: str, target: str, customer: str, mid: str) -> Decimal:
    if source == target:
        return Decimal(1)
    return Decimal(mid) * (1 - SPREAD.get(customer, SPREAD["retail"]))


def money(amount: Decimal, currency: str) -> str:
    digits = SCALE.get(currency, 2)
    return f"{amount.quantize(Decimal(1).scaleb(-digits)):,} {currency}"


class ExchangeCounter(GraphBusNode):
    @subscribe("/Bank/Exchange")
    def on_exchange(self, amount: str, source: str, target: str, customer: str, mid: str) -> dict[str, str]:
        factor = rate(source.upper(), target.upper(), customer, mid)
        return {
            "paid": money(Decimal(amount), source.upper()),
            "received": money(Decimal(amount) * factor, target.upper()),
        }
