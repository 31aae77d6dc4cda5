# pure
"""Searches a constant road graph with a heap and distances that are local to the call."""
import heapq
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

Roads = Mapping[str, Mapping[str, int]]


def both_ways(*roads: tuple[str, str, int]) -> Roads:
    graph: dict[str, dict[str, int]] = {}
    for a, b, km in roads:
        graph.setdefault(a, {})[b] = km
        graph.setdefault(b, {})[a] = km
    return MappingProxyType({town: MappingProxyType(dict(near)) for town, near in graph.items()})


ROADS = both_ways(
    ("Aarau", "Baden", 27),
    ("Aarau", "Olten", 13),
    ("Baden", "Zug", 45),
    ("Olten", "Luzern", 54),
    ("Luzern", "Zug", 24),
    ("Zug", "Schwyz", 30),
    ("Luzern", "Stans", 15),
)


class Search:
    def __init__(self, roads: Roads, start: str, closed: frozenset[str]) -> None:
        self.roads, self.start, self.closed = roads, start, closed
        self.back: dict[str, str] = {}

    def settled(self) -> Iterator[tuple[int, str]]:
        best = {self.start: 0}
        queue = [(0, self.start)]
        while queue:
            km, town = heapq.heappop(queue)
            if km > best[town]:
                continue
            yield km, town
            for near, more in self.roads[town].items():
                if near not in self.closed and km + more < best.get(near, 10**9):
                    best[near] = km + more
                    self.back[near] = town
                    heapq.heappush(queue, (km + more, near))

    def path(self, town: str) -> list[str]:
        steps = [town]
        while steps[-1] in self.back:
            steps.append(self.back[steps[-1]])
        return steps[::-1]


class RoadRoutes(GraphBusNode):
    @subscribe("/Map/Route")
    def on_route(self, start: str, goal: str, closed: list[str]) -> dict[str, object]:
        if start not in ROADS or goal not in ROADS:
            return {"error": "unknown town"}
        search = Search(ROADS, start, frozenset(closed))
        for km, town in search.settled():
            if town == goal:
                return {"km": km, "via": search.path(goal)}
        return {"error": "no way"}
