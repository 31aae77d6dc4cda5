# pure
"""Keeps a table of distances that is filled when first asked for; the network itself never changes."""
import heapq
import math
from functools import cached_property
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

ROADS = (
    ("Linz", "Wien", 184), ("Linz", "Salzburg", 133), ("Wien", "Graz", 200), ("Graz", "Klagenfurt", 135),
    ("Salzburg", "Villach", 185), ("Villach", "Klagenfurt", 40), ("Linz", "Graz", 226), ("Wien", "Brno", 130),
)


class Network:
    def __init__(self, roads: tuple[tuple[str, str, int], ...]) -> None:
        self._roads = roads
        self._trees: dict[str, MappingProxyType] = {}

    @cached_property
    def neighbours(self) -> dict[str, list[tuple[str, int]]]:
        table: dict[str, list[tuple[str, int]]] = {}
        for one, two, km in self._roads:
            table.setdefault(one, []).append((two, km))
            table.setdefault(two, []).append((one, km))
        return table

    def tree(self, start: str) -> MappingProxyType:
        try:
            return self._trees[start]
        except KeyError:
            return self._trees.setdefault(start, MappingProxyType(self._search(start)))

    def _search(self, start: str) -> dict[str, tuple[float, str]]:
        best = {start: (0.0, start)}
        heap = [(0.0, start)]
        while heap:
            km, town = heapq.heappop(heap)
            if km > best[town][0]:
                continue
            for other, length in self.neighbours[town]:
                if km + length < best.get(other, (math.inf, ""))[0]:
                    best[other] = (km + length, town)
                    heapq.heappush(heap, (km + length, other))
        return best


class FreightPaths(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.network: Network | None = None

    @subscribe("/Freight/Path")
    def on_path(self, start: str, goal: str) -> dict[str, object]:
        if self.network is None:
            self.network = Network(ROADS)
        if unknown := [town for town in (start, goal) if town not in self.network.neighbours]:
            return {"unknown": unknown}
        tree = self.network.tree(start)
        stops = [goal]
        while stops[-1] != start:
            stops.append(tree[stops[-1]][1])
        return {"km": tree[goal][0], "via": stops[::-1]}
