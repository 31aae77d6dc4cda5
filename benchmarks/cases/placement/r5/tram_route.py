# pure
"""Keeps the network, built once and only read; the search's heap and distances belong to one call."""
import heapq
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

LINES = {
    "1": [("Harbour", 0), ("Market", 4), ("Museum", 3), ("Station", 5), ("Hill", 9)],
    "2": [("Airport", 0), ("Station", 12), ("Theatre", 4), ("Market", 2)],
    "5": [("Hill", 0), ("Clinic", 3), ("Theatre", 6), ("Harbour", 11)],
}
CHANGE = 4


class TramRoute(GraphBusNode):
    """Finds the fastest way by tram, with the time for changing lines."""

    def __init__(self) -> None:
        super().__init__()
        self._edges: dict[str, list[tuple[str, int, str]]] = defaultdict(list)
        for line, stops in LINES.items():
            for (here, _), (there, minutes) in zip(stops, stops[1:]):
                self._edges[here].append((there, minutes, line))
                self._edges[there].append((here, minutes, line))

    def _search(self, start: str, goal: str) -> tuple[int, list[str]] | None:
        heap: list[tuple[int, str, str, list[str]]] = [(0, start, "", [start])]
        done: set[tuple[str, str]] = set()
        while heap:
            minutes, stop, line, path = heapq.heappop(heap)
            if stop == goal:
                return minutes, path
            if (stop, line) in done:
                continue
            done.add((stop, line))
            for there, ride, using in self._edges[stop]:
                change = CHANGE if line and using != line else 0
                heapq.heappush(heap, (minutes + ride + change, there, using, path + [f"{using}:{there}"]))
        return None

    @subscribe("/Tram/Ask")
    def on_ask(self, start: str, goal: str) -> dict[str, object]:
        if start not in self._edges or goal not in self._edges:
            return {"error": "unknown stop"}
        found = self._search(start, goal)
        assert found is not None
        return {"minutes": found[0], "path": found[1]}
