# pure
"""The heap and the distances live in the function, the network is constant."""
import heapq
import math
from collections.abc import Mapping

from graphbus_core import GraphBusNode, subscribe

_ROADS = (
    ("hub", "north", 12),
    ("hub", "east", 7),
    ("east", "north", 4),
    ("east", "port", 15),
    ("north", "port", 9),
    ("port", "island", 30),
)


def network(roads: tuple[tuple[str, str, int], ...]) -> Mapping[str, Mapping[str, int]]:
    graph: dict[str, dict[str, int]] = {}
    for a, b, minutes in roads:
        graph.setdefault(a, {})[b] = minutes
        graph.setdefault(b, {})[a] = minutes
    return graph


_GRAPH = network(_ROADS)


def route(start: str, goal: str, closed: frozenset[str]) -> tuple[float, list[str]]:
    queue: list[tuple[int, str, list[str]]] = [(0, start, [start])]
    done: set[str] = set()
    while queue:
        minutes, place, path = heapq.heappop(queue)
        if place == goal:
            return minutes, path
        if place in done:
            continue
        done.add(place)
        for neighbour, cost in _GRAPH.get(place, {}).items():
            if neighbour not in done and neighbour not in closed:
                heapq.heappush(queue, (minutes + cost, neighbour, [*path, neighbour]))
    return math.inf, []


class Routes(GraphBusNode):
    @subscribe("/Delivery/Route")
    def on_event(self, start: str, goal: str, closed: list[str]) -> dict[str, object]:
        minutes, path = route(start, goal, frozenset(closed))
        return {"reachable": bool(path), "minutes": minutes if path else None, "path": path}
