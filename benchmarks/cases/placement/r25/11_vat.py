# pure
"""Keeps only closures over fixed rates."""
from functools import partial
from types import MappingProxyType
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

Rate = Callable[[int], int]


def percent(rate: int) -> Rate:
    def of(net: int) -> int:
        # half-up, as the tax office wants it
        return (net * rate + 50) // 100
    return of


def reduced_above(limit: int, low: Rate, high: Rate) -> Rate:
    return lambda net: low(net) if net > limit else high(net)


def zero(_net: int) -> int:
    return 0


REGISTRY = MappingProxyType({
    "book": percent(7),
    "food": percent(7),
    "export": zero,
    "art": reduced_above(100_000, percent(7), percent(19)),
})


def lookup(table, default, kind):
    return table.get(kind.lower(), default)


rate_of = partial(lookup, REGISTRY, percent(19))


class Vat(GraphBusNode):
    @subscribe("/sales/net")
    def on_sale(self, net: int, goods: str) -> dict[str, int]:
        tax = rate_of(goods)(net)
        return {"net": net, "tax": tax, "gross": net + tax}
