# pure
"""Keeps a counter nobody reads for an answer; everything else lives for one event."""
import heapq
import logging
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger("capacity")
log.addHandler(logging.NullHandler())
log.propagate = False

LEVELS = (25, 80, 95, 101)
NAMES = ("idle", "normal", "busy", "critical", "over")


@dataclass(frozen=True, order=True, slots=True)
class Lease:
    start: int
    end: int
    units: int = 1


def merged(leases: list[Lease]) -> Iterator[tuple[int, int]]:
    current: list[int] | None = None
    for lease in sorted(leases):
        if current is not None and lease.start <= current[1]:
            current[1] = max(current[1], lease.end)
            continue
        if current is not None:
            yield current[0], current[1]
        current = [lease.start, lease.end]
    if current is not None:
        yield current[0], current[1]


def peak(leases: list[Lease]) -> int:
    running: list[tuple[int, int]] = []
    used = highest = 0
    for lease in sorted(leases):
        while running and running[0][0] <= lease.start:
            used -= heapq.heappop(running)[1]
        heapq.heappush(running, (lease.end, lease.units))
        used += lease.units
        highest = max(highest, used)
    return highest


class Capacity(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.handled = 0

    @subscribe("/capacity/leases")
    def on_leases(self, pool: str, size: int, leases: list[list[int]]) -> dict[str, Any]:
        self.handled += 1
        if size <= 0:
            return {"pool": pool, "error": "size"}
        parsed = [Lease(*numbers) for numbers in leases if numbers[0] < numbers[1]]
        highest = peak(parsed)
        percent = 100 * highest // size
        log.debug("%s peaks at %d of %d", pool, highest, size)
        return {
            "pool": pool,
            "peak": highest,
            "level": NAMES[bisect_right(LEVELS, percent)],
            "covered": [list(span) for span in merged(parsed)],
            "skipped": len(leases) - len(parsed),
        }
