# pure
"""Keeps nothing that shows: the cache holds tuples that depend on the two towns and the lorry's weight alone."""
from __future__ import annotations

import heapq
from collections import defaultdict
from functools import lru_cache
from itertools import pairwise

from graphbus_core import GraphBusNode, subscribe

ROADS = """
Lund-Malmo 18 60
Lund-Horby 33 24
Horby-Kristianstad 45 40
Malmo-Ystad 57 60
Ystad-Simrishamn 39 12
Simrishamn-Kristianstad 62 24
Kristianstad-Karlshamn 50 60
Malmo-Trelleborg 31 60
"""


def _load(text: str) -> dict[str, dict[str, tuple[int, int]]]:
    graph: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    for line in text.split("\n"):
        if not line.strip():
            continue
        ends, km, tons = line.split()
        a, b = ends.split("-")
        graph[a][b] = graph[b][a] = (int(km), int(tons))
    return dict(graph)


GRAPH = _load(ROADS)
CLASSES = (12, 24, 40, 60)


@lru_cache(maxsize=32)
def shortest(start: str, goal: str, tons: int) -> tuple[int, tuple[str, ...]] | None:
    heap: list[tuple[int, str, tuple[str, ...]]] = [(0, start, (start,))]
    done: set[str] = set()
    while heap:
        km, town, path = heapq.heappop(heap)
        if town == goal:
            return km, path
        if town in done:
            continue
        done.add(town)
        for other, (length, limit) in GRAPH[town].items():
            if limit >= tons and other not in done:
                heapq.heappush(heap, (km + length, other, (*path, other)))
    return None


class RoadRoutes(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._legs: dict[tuple[str, str], int] = {}

    def _leg(self, pair: tuple[str, str]) -> int:
        if pair not in self._legs:
            self._legs[pair] = GRAPH[pair[0]][pair[1]][0]
        return self._legs[pair]

    @subscribe("/Trips")
    def on_trip(self, start: str, goal: str, load_tons: float) -> dict[str, object]:
        missing = [town for town in (start, goal) if town not in GRAPH]
        if missing:
            return {"error": "unknown: " + ", ".join(map(str, missing))}
        tons = next((size for size in CLASSES if load_tons <= size), None)
        if tons is None:
            return {"error": "too heavy for any road"}
        found = shortest(start, goal, tons)
        if found is None:
            return {"error": "no road bears this load", "class": tons}
        km, path = found
        return {"km": km, "path": list(path), "legs": [self._leg(pair) for pair in pairwise(path)]}
