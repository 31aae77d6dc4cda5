# pure
"""The search keeps its queue and its best times for one question; the network is constant."""
import heapq
import itertools
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

LINES = {
    "U1": [("Oststr", 0), ("Markt", 2), ("Dom", 3), ("Hafen", 4)],
    "U2": [("Zoo", 0), ("Dom", 5), ("Uni", 3)],
    "S3": [("Messe", 0), ("Uni", 6), ("Hafen", 4), ("Strand", 9)],
}
CHANGE_MINUTES = 4


class Hop(NamedTuple):
    target: str
    line: str
    minutes: int


def network() -> dict[str, list[Hop]]:
    hops: defaultdict[str, list[Hop]] = defaultdict(list)
    for line, stops in LINES.items():
        for (a, _), (b, minutes) in itertools.pairwise(stops):
            hops[a].append(Hop(b, line, minutes))
            hops[b].append(Hop(a, line, minutes))
    return dict(hops)


HOPS = network()


def search(start: str, goal: str, closed: frozenset[str]) -> tuple[int, list[Hop]] | None:
    tie = itertools.count()
    best: dict[tuple[str, str], int] = {}
    queue: list[tuple[int, int, str, str, list[Hop]]] = [(0, next(tie), start, "", [])]
    while queue:
        minutes, _, station, line, path = heapq.heappop(queue)
        if station == goal:
            return minutes, path
        if best.get((station, line), minutes + 1) <= minutes:
            continue
        best[station, line] = minutes
        for hop in HOPS[station]:
            if hop.line in closed:
                continue
            wait = CHANGE_MINUTES if line and line != hop.line else 0
            heapq.heappush(queue, (minutes + wait + hop.minutes, next(tie), hop.target, hop.line, [*path, hop]))
    return None


def legs(path: list[Hop]) -> Iterator[str]:
    for line, hops in itertools.groupby(path, key=lambda hop: hop.line):
        *_, last = hops
        yield f"{line} to {last.target}"


class Journey(GraphBusNode):
    @subscribe("/metro/ask")
    def on_ask(self, start: str, goal: str, closed: list[str]) -> dict[str, object]:
        if start not in HOPS or goal not in HOPS:
            return {"found": False, "why": "unknown station"}
        result = search(start, goal, frozenset(closed))
        if result is None:
            return {"found": False, "why": "no connection"}
        minutes, path = result
        return {"found": True, "minutes": minutes, "legs": list(legs(path))}
