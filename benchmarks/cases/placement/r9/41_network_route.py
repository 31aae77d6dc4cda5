# pure
"""Remembers shortest ways in a constant network under a lock; a remembered way is the one that would be calculated."""
import heapq
from functools import cached_property
from threading import Lock

from graphbus_core import GraphBusNode, subscribe

ROADS = """
HAM HB 126
HAM B 289
HB H 126
H B 285
H KS 165
KS F 193
B L 190
L N 280
F N 225
N M 170
"""


class Network:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lock = Lock()
        self._ways: dict[str, dict[str, tuple[int, str]]] = {}

    @cached_property
    def roads(self) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for line in self._text.split("\n"):
            if line.strip():
                a, b, km = line.split()
                found.setdefault(a, {})[b] = found.setdefault(b, {})[a] = int(km)
        return found

    def _search(self, start: str) -> dict[str, tuple[int, str]]:
        best: dict[str, tuple[int, str]] = {}
        heap = [(0, start)]
        while heap:
            km, path = heapq.heappop(heap)
            here = path.rpartition(">")[2]
            if here in best:
                continue
            best[here] = (km, path)
            for town, more in self.roads[here].items():
                if town not in best:
                    heapq.heappush(heap, (km + more, f"{path}>{town}"))
        return best

    def way(self, start: str, end: str) -> tuple[int, str]:
        with self._lock:
            if start not in self._ways:
                self._ways[start] = self._search(start)
        return self._ways[start][end]


class NetworkRoute(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._network = Network(ROADS)

    @subscribe("/Route/Ask")
    def on_ask(self, start: str, end: str, toll: float) -> dict[str, object]:
        try:
            km, path = self._network.way(start.upper(), end.upper())
        except KeyError as unknown:
            return {"error": f"no town {unknown}"}
        return {"km": km, "path": path, "cost": round(km * toll, 2)}
