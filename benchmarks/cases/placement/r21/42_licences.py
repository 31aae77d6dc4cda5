# pure
"""Keeps a set made of a generator when the module is loaded; nothing adds to it later."""
from itertools import product, starmap
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

TRADES = ("cafe", "bar", "kiosk")
STREETS = ("Market Square", "Mill Lane")
EXCLUDED = {("bar", "Mill Lane")}

TERRACES = frozenset(pair for pair in product(TRADES, STREETS) if pair not in EXCLUDED)
CLOSING = dict(starmap(lambda trade, hour: (trade, hour), (("cafe", 22), ("bar", 25), ("kiosk", 20))))


def conditions(trade: str, street: str, seats: int) -> Iterator[tuple[str, int]]:
    if (trade, street) not in TERRACES:
        return
    yield "base fee", 8000
    yield from (("per seat", 450) for _ in range(seats))
    if street == "Market Square":
        yield "square supplement", 12_500


def summed(parts: Iterator[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    totals: dict[str, int] = {}
    for name, cents in parts:
        totals[name] = totals.get(name, 0) + cents
    yield from totals.items()


class Licences(GraphBusNode):
    @subscribe("/Licence/TerraceAsked")
    def on_terrace(self, owner: str, trade: str, street: str, seats: int) -> dict[str, object]:
        items = dict(summed(conditions(trade, street, seats)))
        if not items:
            return {"owner": owner, "granted": False}
        until = CLOSING[trade] - (2 if seats > 30 else 0)
        return {"owner": owner, "granted": True, "items": items, "fee": sum(items.values()), "until": f"{until % 24:02d}:00"}
