# pure
"""Finds the shortest route in the network that the event brings along; heap and distances are local."""
import heapq
from collections import defaultdict
from itertools import count, pairwise

from graphbus_core import GraphBusNode, subscribe

Graph = dict[str, list[tuple[str, int]]]
MODES = {"car": 1, "bike": 4, "foot": 12}


def _graph(roads: list[str]) -> Graph:
    graph: Graph = defaultdict(list)
    for road in roads:
        ends, _, length = road.partition(":")
        one_way = ">" in ends
        start, stop = (part.strip() for part in ends.split(">" if one_way else "-"))
        graph[start].append((stop, int(length)))
        if not one_way:
            graph[stop].append((start, int(length)))
    return graph


def _shortest(graph: Graph, start: str, goal: str) -> tuple[int, list[str]] | None:
    ticket = count()
    heap = [(0, next(ticket), start, [start])]
    done: set[str] = set()
    while heap:
        distance, _, here, path = heapq.heappop(heap)
        if here == goal:
            return distance, path
        if here in done:
            continue
        done.add(here)
        for neighbour, length in graph.get(here, ()):
            if neighbour not in done:
                heapq.heappush(heap, (distance + length, next(ticket), neighbour, [*path, neighbour]))
    return None


class RoutePlanner(GraphBusNode):
    @subscribe("/Delivery/Route")
    def on_route(self, roads: list[str], start: str, goal: str, mode: str) -> dict:
        found = _shortest(_graph(roads), start, goal)
        if found is None:
            return {"reachable": False, "legs": []}
        distance, path = found
        minutes = distance * MODES.get(mode, MODES["car"])
        return {"reachable": True, "legs": [f"{a}→{b}" for a, b in pairwise(path)], "minutes": minutes}
