from __future__ import annotations

import heapq
from collections.abc import Callable

ROADS: dict[str, dict[str, int]] = {
    "Arden": {"Brook": 7, "Cliff": 12},
    "Brook": {"Arden": 7, "Cliff": 3, "Dale": 11},
    "Cliff": {"Arden": 12, "Brook": 3, "Dale": 5, "Esk": 20},
    "Dale": {"Brook": 11, "Cliff": 5, "Esk": 8},
    "Esk": {"Cliff": 20, "Dale": 8},
}


def cheapest(start: str, goal: str, passable: Callable[[str, str], bool]) -> tuple[int, list[str]] | None:
    queue: list[tuple[int, list[str]]] = [(0, [start])]
    done: set[str] = set()
    while queue:
        cost, path = heapq.heappop(queue)
        here = path[-1]
        if here == goal:
            return cost, path
        if here in done:
            continue
        done.add(here)
        for there, km in ROADS.get(here, {}).items():
            if there not in done and passable(here, there):
                heapq.heappush(queue, (cost + km, [*path, there]))
    return None
