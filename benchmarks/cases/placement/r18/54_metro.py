# pure
"""Keeps nothing: the map is fixed after construction, the search works on its own heap and distances."""
from __future__ import annotations

import heapq
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

LINES = {
    "red": ["Airport", 9, "Expo", 4, "Central", 2, "Opera", 3, "Harbour"],
    "blue": ["Zoo", 5, "Stadium", 3, "Central", 6, "University"],
    "green": ["University", 4, "Opera", 5, "Market", 2, "Stadium"],
}
CHANGE = 4


class Network:
    def __init__(self, lines: dict[str, list]) -> None:
        self.edges: dict[str, list[tuple[str, int, str]]] = defaultdict(list)
        for line, stops in lines.items():
            for a, minutes, b in zip(stops[::2], stops[1::2], stops[2::2]):
                self.edges[a].append((b, minutes, line))
                self.edges[b].append((a, minutes, line))

    def route(self, start: str, goal: str) -> tuple[int, list[str]] | None:
        queue: list[tuple[int, list[str], str]] = [(0, [start], "")]
        best: dict[tuple[str, str], int] = {}
        while queue:
            cost, path, line = heapq.heappop(queue)
            here = path[-1]
            if here == goal:
                return cost, path
            if best.setdefault((here, line), cost) < cost:
                continue
            for there, minutes, on in self.edges.get(here, ()):
                if there not in path:
                    penalty = CHANGE if line and on != line else 0
                    heapq.heappush(queue, (cost + minutes + penalty, path + [there], on))
        return None


class TripPlanner(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.network = Network(LINES)

    @subscribe("/Riders/Trip")
    def on_trip(self, start: str, goal: str, leave: str) -> dict[str, object]:
        found = self.network.route(start.title(), goal.title())
        if found is None:
            return {"error": f"no way from {start} to {goal}"}
        minutes, path = found
        hour, minute = map(int, leave.split(":"))
        arrival = (hour * 60 + minute + minutes) % 1440
        return {"via": " > ".join(path), "minutes": minutes, "arrive": f"{arrival // 60:02d}:{arrival % 60:02d}"}
