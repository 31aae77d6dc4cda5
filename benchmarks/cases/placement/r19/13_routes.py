# pure
"""The network is fixed and the remembered shortest ways are the same whoever asks and when."""
from functools import lru_cache
from heapq import heappop, heappush

from graphbus_core import GraphBusNode, subscribe

SECTIONS = [
    ("Kiel", "Hamburg", 67), ("Hamburg", "Bremen", 55), ("Bremen", "Hannover", 62),
    ("Hamburg", "Hannover", 79), ("Hannover", "Kassel", 56), ("Kassel", "Fulda", 32),
    ("Hannover", "Bielefeld", 52), ("Bielefeld", "Hamm", 27),
]


def both_ways(sections: list[tuple[str, str, int]]) -> dict[str, list[tuple[str, int]]]:
    network: dict[str, list[tuple[str, int]]] = {}
    for first, second, minutes in sections:
        network.setdefault(first, []).append((second, minutes))
        network.setdefault(second, []).append((first, minutes))
    return network


NETWORK = both_ways(SECTIONS)


@lru_cache(maxsize=64)
def way(origin: str, destination: str) -> tuple[int, tuple[str, ...]] | None:
    queue: list[tuple[int, tuple[str, ...]]] = [(0, (origin,))]
    settled: set[str] = set()
    while queue:
        minutes, path = heappop(queue)
        here = path[-1]
        if here == destination:
            return minutes, path
        if here in settled:
            continue
        settled.add(here)
        for there, section in NETWORK.get(here, []):
            heappush(queue, (minutes + section + 2, path + (there,)))
    return None


class RoutePlanner(GraphBusNode):
    @subscribe("/Rail/Journeys")
    def on_journey(self, origin: str, destination: str, via: str) -> dict[str, object]:
        stops = [origin, via, destination] if via else [origin, destination]
        legs = [way(first, second) for first, second in zip(stops, stops[1:])]
        if not all(legs):
            return {"found": False, "minutes": 0, "stations": []}
        stations = [origin] + [name for leg in legs for name in leg[1][1:]]
        return {"found": True, "minutes": sum(leg[0] for leg in legs), "stations": stations}
