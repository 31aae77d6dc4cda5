# pure
"""Keeps a table of distances found so far, which only saves work: the network never changes."""
import heapq
import math
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

_PIPES = [
    ("spring", "tower", 7), ("tower", "mill", 4), ("mill", "harbour", 9), ("tower", "castle", 3),
    ("castle", "harbour", 11), ("castle", "village", 6), ("village", "farm", 2), ("farm", "harbour", 5),
    ("lake", "isle", 8),
]


def _network() -> MappingProxyType[str, MappingProxyType[str, int]]:
    links: dict[str, dict[str, int]] = {}
    for one, other, metres in _PIPES:
        links.setdefault(one, {})[other] = metres
        links.setdefault(other, {})[one] = metres
    return MappingProxyType({name: MappingProxyType(near) for name, near in links.items()})


NETWORK = _network()


class PumpRoutes(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, dict[str, tuple[float, str]]] = {}
        self._searches = 0

    def _from(self, start: str) -> dict[str, tuple[float, str]]:
        if start in self._known:
            return self._known[start]
        self._searches += 1
        best: dict[str, tuple[float, str]] = {start: (0, "")}
        heap = [(0, start)]
        while heap:
            far, name = heapq.heappop(heap)
            if far > best[name][0]:
                continue
            for other, metres in NETWORK[name].items():
                if far + metres < best.get(other, (math.inf, ""))[0]:
                    best[other] = (far + metres, name)
                    heapq.heappush(heap, (far + metres, other))
        self._known[start] = best
        return best

    @subscribe("/Water/RouteAsked")
    def on_route(self, start: str, goal: str) -> dict[str, object]:
        if start not in NETWORK or goal not in NETWORK:
            return {"error": "unknown place", "asked": sorted({start, goal} - set(NETWORK))}
        best = self._from(start)
        if goal not in best:
            return {"metres": None, "path": []}
        path = [goal]
        while path[-1] != start:
            path.append(best[path[-1]][1])
        return {"metres": best[goal][0], "path": path[::-1]}
