from __future__ import annotations

import heapq
from collections import defaultdict
from typing import Mapping

EDGES = [("HAM", "BRE", 120), ("HAM", "BER", 290), ("BRE", "DUS", 300), ("BER", "LEJ", 190), ("LEJ", "MUC", 430), ("DUS", "MUC", 610)]


def build() -> Mapping[str, dict[str, int]]:
    graph: dict[str, dict[str, int]] = defaultdict(dict)
    for a, b, km in EDGES:
        graph[a][b] = km
        graph[b][a] = km
    return graph


GRAPH = build()
_PATHS: dict[tuple[str, str], int] = {}


def distance(start: str, goal: str) -> int:
    if (start, goal) not in _PATHS:
        heap, done = [(0, start)], set()
        best = -1
        while heap:
            km, at = heapq.heappop(heap)
            if at == goal:
                best = km
                break
            if at in done:
                continue
            done.add(at)
            for nxt, leg in GRAPH[at].items():
                heapq.heappush(heap, (km + leg, nxt))
        _PATHS[start, goal] = best
        _PATHS[goal, start] = best
    return _PATHS[start, goal]
