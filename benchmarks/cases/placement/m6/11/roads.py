"""The road network and shortest ways on it."""
import heapq
from functools import lru_cache

_LINKS = """
depot north 4
depot mill 7
north hill 6
north mill 2
mill harbour 5
hill harbour 3
harbour island 9
"""


def _load(text: str) -> dict[str, dict[str, int]]:
    roads: dict[str, dict[str, int]] = {}
    for line in text.split("\n"):
        if line.strip():
            a, b, km = line.split()
            roads.setdefault(a, {})[b] = int(km)
            roads.setdefault(b, {})[a] = int(km)
    return roads


ROADS = _load(_LINKS)


@lru_cache(maxsize=None)
def way(start: str, goal: str) -> tuple[int, tuple[str, ...]]:
    queue = [(0, (start,))]
    done = set()
    while queue:
        km, path = heapq.heappop(queue)
        here = path[-1]
        if here == goal:
            return km, path
        if here in done:
            continue
        done.add(here)
        for there, length in ROADS[here].items():
            if there not in done:
                heapq.heappush(queue, (km + length, path + (there,)))
    return -1, ()
