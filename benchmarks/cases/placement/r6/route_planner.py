# pure
"""The counter that breaks ties in the heap goes on for ever, but only which of two numbers is greater matters."""
import heapq
import itertools

from graphbus_core import GraphBusNode, subscribe

ROADS = [
    ("Aachen", "Bonn", 92), ("Bonn", "Koeln", 30), ("Aachen", "Koeln", 70), ("Koeln", "Dortmund", 95),
    ("Dortmund", "Kassel", 165), ("Bonn", "Giessen", 130), ("Giessen", "Kassel", 115),
]


def both_ways(roads: list[tuple[str, str, int]]) -> dict[str, list[tuple[str, int]]]:
    graph: dict[str, list[tuple[str, int]]] = {}
    for a, b, km in roads:
        graph.setdefault(a, []).append((b, km))
        graph.setdefault(b, []).append((a, km))
    return graph


class Leg:
    __slots__ = ("town", "back")

    def __init__(self, town: str, back: "Leg | None") -> None:
        self.town = town
        self.back = back

    def towns(self) -> list[str]:
        return (self.back.towns() if self.back else []) + [self.town]


class RoutePlanner(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._graph = both_ways(ROADS)
        self._tick = itertools.count()

    @subscribe("/route/request")
    def on_request(self, start: str, goal: str) -> dict[str, object]:
        heap = [(0, next(self._tick), Leg(start, None))]
        done: set[str] = set()
        while heap:
            km, _, leg = heapq.heappop(heap)
            if leg.town == goal:
                return {"km": km, "via": leg.towns()}
            if leg.town in done:
                continue
            done.add(leg.town)
            for town, more in self._graph.get(leg.town, ()):
                heapq.heappush(heap, (km + more, next(self._tick), Leg(town, leg)))
        return {"km": None, "via": []}
