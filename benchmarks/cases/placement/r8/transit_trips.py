# stateful
"""Keeps changes to cached lists: the handler edits what lru_cache gave it, and the cache gives it again."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

LINES = {
    "U1": ["Depot", "Market", "Castle", "Harbour"],
    "U2": ["Zoo", "Market", "Library", "Stadium"],
    "U3": ["Harbour", "Library", "Airport"],
}


@lru_cache(maxsize=None)
def stops_between(line: str, start: str, end: str) -> list[str]:
    stops = LINES[line]
    i, j = stops.index(start), stops.index(end)
    return stops[i:j + 1] if i <= j else stops[j:i + 1][::-1]


@lru_cache(maxsize=64)
def minutes(hops: int) -> int:
    return 0 if hops <= 0 else 2 + minutes(hops - 1)


def announce(stops: list[str], closed: set[str]) -> str:
    for index, stop in enumerate(stops):
        if stop in closed:
            stops[index] = f"({stop})"
    return " - ".join(stops)


class TransitTrips(GraphBusNode):
    @subscribe("/Transit/Trip")
    def on_trip(self, line: str, start: str, end: str, closed: list[str]) -> dict[str, object]:
        try:
            stops = stops_between(line, start, end)
        except (KeyError, ValueError):
            return {"text": "no such trip", "minutes": 0}
        return {"text": announce(stops, set(closed)), "minutes": minutes(len(stops) - 1)}
