# pure
"""Finds the fastest connection in a fixed network; the heap and the distances live only during the search."""
import heapq
from collections import defaultdict
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

LINES = """
Lindau-Kempten:58 Kempten-Augsburg:65 Augsburg-Munich:32 Munich-Rosenheim:38
Rosenheim-Salzburg:52 Kempten-Munich:92 Augsburg-Ulm:41 Ulm-Lindau:102 Rosenheim-Kufstein:21
"""


def read_network(text: str) -> MappingProxyType:
    network: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for edge in text.split():
        ends, minutes = edge.split(":")
        a, b = ends.split("-")
        network[a].append((b, int(minutes)))
        network[b].append((a, int(minutes)))
    return MappingProxyType(dict(network))


NETWORK = read_network(LINES)
CHANGE_MINUTES = 6


def connection(start: str, goal: str, closed: frozenset[str]) -> tuple[int, list[str]] | None:
    queue: list[tuple[int, str, list[str]]] = [(0, start, [start])]
    best: dict[str, int] = {}
    while queue:
        minutes, station, way = heapq.heappop(queue)
        if station == goal:
            return minutes, way
        if best.setdefault(station, minutes) < minutes:
            continue
        for neighbour, ride in NETWORK.get(station, ()):
            if neighbour in closed or neighbour in best:
                continue
            stop = CHANGE_MINUTES if station != start else 0
            heapq.heappush(queue, (minutes + stop + ride, neighbour, way + [neighbour]))
    return None


def clock(minutes: int) -> str:
    return "{:02d}:{:02d}".format(*divmod(minutes % 1440, 60))


class Connections(GraphBusNode):
    @subscribe("/Railway/Enquiry")
    def on_enquiry(self, origin: str, destination: str, leave: str, closed: list[str]) -> dict[str, object]:
        found = connection(origin, destination, frozenset(closed))
        if found is None:
            return {"possible": False, "from": origin, "to": destination}
        minutes, way = found
        hour, minute = map(int, leave.split(":"))
        arrival = hour * 60 + minute + minutes
        return {"possible": True, "via": way[1:-1], "arrive": clock(arrival), "days": arrival // 1440}
