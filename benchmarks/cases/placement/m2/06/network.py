import heapq
from collections import defaultdict
from math import asin, cos, radians, sin, sqrt
from typing import Iterator

AIRPORTS = {"LHR": (51.47, -0.45), "CDG": (49.01, 2.55), "FRA": (50.03, 8.56), "MAD": (40.47, -3.56),
            "JFK": (40.64, -73.78), "DXB": (25.25, 55.36), "SIN": (1.36, 103.99)}
PAIRS = "LHR-CDG LHR-JFK CDG-FRA FRA-DXB MAD-JFK CDG-MAD DXB-SIN LHR-DXB FRA-SIN MAD-LHR".split()

_km: dict[frozenset, int] = {}


def great_circle(a: str, b: str) -> int:
    pair = frozenset((a, b))
    km = _km.get(pair)
    if km is None:
        (la, lo), (lb, lp) = sorted(AIRPORTS[x] for x in (a, b))
        la, lo, lb, lp = map(radians, (la, lo, lb, lp))
        h = sin((lb - la) / 2) ** 2 + cos(la) * cos(lb) * sin((lp - lo) / 2) ** 2
        km = _km[pair] = round(12742 * asin(sqrt(h)))
    return km


class Network:
    def __init__(self, pairs: list[str]) -> None:
        self.legs: dict[str, set[str]] = defaultdict(set)
        for pair in pairs:
            a, b = pair.split("-")
            self.legs[a].add(b)
            self.legs[b].add(a)

    def neighbours(self, port: str) -> Iterator[tuple[str, int]]:
        for other in sorted(self.legs[port]):
            yield other, great_circle(port, other)

    def without(self, a: str, b: str) -> "Network":
        self.legs[a].discard(b)
        self.legs[b].discard(a)
        return self

    def path(self, src: str, dst: str) -> tuple[int, list[str]]:
        heap = [(0, [src])]
        done = set()
        while heap:
            km, stops = heapq.heappop(heap)
            if stops[-1] == dst:
                return km, stops
            if stops[-1] in done:
                continue
            done.add(stops[-1])
            for nxt, leg in self.neighbours(stops[-1]):
                heapq.heappush(heap, (km + leg, stops + [nxt]))
        return -1, []


NETWORK = Network(PAIRS)
