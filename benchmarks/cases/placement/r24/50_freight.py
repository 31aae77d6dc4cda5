# pure
"""Routes are memoised on the whole question, so a cached answer is the same answer."""
import heapq
from dataclasses import dataclass
from functools import lru_cache
from typing import Optional, Tuple

from graphbus_core import GraphBusNode, subscribe

ROADS = [
    ("HAM", "FRA", 490), ("FRA", "BSL", 330), ("BSL", "GVA", 250), ("GVA", "LYS", 150),
    ("BSL", "MIL", 340), ("GVA", "MIL", 320), ("LYS", "MIL", 450), ("MIL", "ROM", 570),
]
NEIGHBOURS: dict = {}
for a, b, km in ROADS:
    NEIGHBOURS.setdefault(a, []).append((b, km))
    NEIGHBOURS.setdefault(b, []).append((a, km))


@dataclass(frozen=True)
class Leg:
    origin: str
    dest: str


@lru_cache(maxsize=64)
def shortest(leg: Leg) -> Optional[Tuple[int, Tuple[str, ...]]]:
    queue = [(0, (leg.origin,))]
    done = set()
    while queue:
        km, path = heapq.heappop(queue)
        here = path[-1]
        if here == leg.dest:
            return km, path
        if here in done:
            continue
        done.add(here)
        for there, step in NEIGHBOURS.get(here, ()):
            heapq.heappush(queue, (km + step, path + (there,)))
    return None


class Freight(GraphBusNode):
    @subscribe("/freight/ask")
    def on_ask(self, origin: str, dest: str, kilos: int, express: bool) -> dict:
        found = shortest(Leg(origin, dest))
        if found is None:
            return {"possible": False}
        km, path = found
        rate = 0.11 if kilos < 100 else 0.04
        cost = 35 + km * kilos * rate / 100
        if express:
            cost *= 1.6
        return {"possible": True, "km": km, "via": list(path[1:-1]), "cost": round(cost, 2)}
