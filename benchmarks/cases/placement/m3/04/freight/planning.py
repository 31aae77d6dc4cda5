from __future__ import annotations

from functools import partial

from graphbus_core import GraphBusNode, subscribe

from .closures import is_open
from .network import cheapest


def _always(a: str, b: str) -> bool:
    return True


def _under(limit: frozenset[str], a: str, b: str) -> bool:
    return b not in limit


class StaticRoute(GraphBusNode):
    @subscribe("/Route/Static")
    def route(self, start: str, goal: str, avoid: list[str]) -> dict[str, object]:
        rule = partial(_under, frozenset(avoid)) if avoid else _always
        found = cheapest(start, goal, rule)
        if found is None:
            return {"km": None, "via": []}
        km, path = found
        return {"km": km, "via": path[1:-1]}


class LiveRoute(GraphBusNode):
    @subscribe("/Route/Live")
    def route(self, start: str, goal: str) -> dict[str, object]:
        found = cheapest(start, goal, is_open)
        return {"km": found[0] if found else None}
