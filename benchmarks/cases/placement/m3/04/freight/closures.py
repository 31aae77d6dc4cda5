from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe


def _pair(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)


def is_open(a: str, b: str, _shut: set[tuple[str, str]] = set()) -> bool:
    return _pair(a, b) not in _shut


_shut = is_open.__defaults__[0]


class RoadWorks(GraphBusNode):
    @subscribe("/Road/Changed")
    def changed(self, a: str, b: str, closed: bool) -> str:
        (_shut.add if closed else _shut.discard)(_pair(a, b))
        return f"{a}-{b} {'closed' if closed else 'open'}"
