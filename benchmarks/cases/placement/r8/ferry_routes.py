# pure
"""Keeps cached tuples only: what lru_cache returns cannot be changed, and the handler copies it to a list."""
import heapq
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

CROSSINGS = {
    ("Oban", "Mull"): 46, ("Oban", "Coll"): 160, ("Coll", "Tiree"): 55,
    ("Mull", "Iona"): 10, ("Oban", "Barra"): 285, ("Tiree", "Barra"): 150,
}


def neighbours(port: str) -> list[tuple[str, int]]:
    found = []
    for (a, b), time in CROSSINGS.items():
        if port in (a, b):
            found.append((b if port == a else a, time))
    return sorted(found)


@lru_cache(maxsize=128)
def shortest(start: str, end: str) -> tuple[int, tuple[str, ...]] | None:
    queue: list[tuple[int, tuple[str, ...]]] = [(0, (start,))]
    done: set[str] = set()
    while queue:
        time, path = heapq.heappop(queue)
        port = path[-1]
        if port == end:
            return time, path
        if port in done:
            continue
        done.add(port)
        for other, extra in neighbours(port):
            heapq.heappush(queue, (time + extra, path + (other,)))
    return None


class FerryRoutes(GraphBusNode):
    @subscribe("/Ferries/Asked")
    def on_asked(self, start: str, end: str, cancelled: list[str]) -> dict[str, object]:
        found = shortest(start.title(), end.title())
        if found is None:
            return {"route": None}
        time, path = found
        route = list(path)
        for index, port in enumerate(route):
            if port in cancelled:
                route[index] = f"{port} (!)"
        return {"route": route, "minutes": time, "possible": not set(path) & set(cancelled)}
