# pure
"""Keeps nothing: queue, distances and the tie-breaking counter are made for each search, the road map never changes."""
import heapq
import itertools
from collections import defaultdict
from collections.abc import Iterator
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

ROADS = """
depot  ford    12
depot  bridge  7
ford   camp_a  9
bridge camp_a  14
bridge mill    6
mill   camp_b  8
camp_a camp_b  5
camp_b airfield 11
"""


def _load(text: str) -> MappingProxyType[str, dict[str, int]]:
    roads: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for line in text.strip().splitlines():
        one, other, km = line.split()
        roads[one][other] = roads[other][one] = int(km)
    return MappingProxyType(dict(roads))


class RoadMap:
    def __init__(self, roads: MappingProxyType[str, dict[str, int]]) -> None:
        self._roads = roads

    def neighbours(self, place: str, closed: frozenset[str]) -> Iterator[tuple[str, int]]:
        for other, km in self._roads.get(place, {}).items():
            if other not in closed:
                yield other, km

    def shortest(self, start: str, goal: str, closed: frozenset[str]) -> tuple[int, list[str]] | None:
        ticket = itertools.count()
        queue: list[tuple[int, int, str]] = [(0, next(ticket), start)]
        best = {start: 0}
        came_from: dict[str, str] = {}
        done: set[str] = set()
        while queue:
            km, _, place = heapq.heappop(queue)
            if place == goal:
                return km, self._unwind(came_from, goal)
            if place in done:
                continue
            done.add(place)
            for other, step in self.neighbours(place, closed):
                if km + step < best.get(other, 1 << 30):
                    best[other] = km + step
                    came_from[other] = place
                    heapq.heappush(queue, (km + step, next(ticket), other))
        return None

    @staticmethod
    def _unwind(came_from: dict[str, str], goal: str) -> list[str]:
        path = [goal]
        while path[-1] in came_from:
            path.append(came_from[path[-1]])
        return path[::-1]


class ReliefRoutes(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.map = RoadMap(_load(ROADS))

    @subscribe("/Relief/Transport")
    def on_transport(self, start: str, goal: str, closed: list[str]) -> dict[str, object]:
        found = self.map.shortest(start, goal, frozenset(closed) - {start})
        if found is None:
            return {"goal": goal, "reachable": False}
        km, path = found
        return {"goal": goal, "reachable": True, "km": km, "via": path[1:-1]}
