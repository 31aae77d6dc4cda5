# pure
"""Keeps nothing: windows and heaps are filled and emptied within one event."""
import heapq
import re
from collections import Counter, deque
from datetime import timedelta
from operator import itemgetter
from statistics import fmean, pstdev

from graphbus_core import GraphBusNode, subscribe

CLOCK = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{2}(?:\.\d+)?)")


def parse_clock(text: str) -> timedelta | None:
    found = CLOCK.fullmatch(text.strip())
    if not found:
        return None
    hours, minutes, seconds = found.groups()
    return timedelta(hours=int(hours or 0), minutes=int(minutes), seconds=float(seconds))


class Window:
    """The mean of the last few values, as they come in."""

    def __init__(self, size: int) -> None:
        self._values: deque[float] = deque([], size)
        self._sum = 0.0

    def push(self, value: float) -> float:
        if len(self._values) == self._values.maxlen:
            self._sum -= self._values[0]
        self._values.append(value)
        self._sum += value
        return self._sum / len(self._values)


class RaceSplits(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._size = 3

    @subscribe("/Race/Finished")
    def on_finished(self, runner: str, splits: list[str]) -> dict[str, object]:
        times = [clock.total_seconds() for clock in map(parse_clock, splits) if clock is not None]
        if not times:
            return {"runner": runner, "laps": 0}
        window = Window(self._size)
        rolling = [round(window.push(value), 2) for value in times]
        fastest = heapq.nsmallest(2, enumerate(times, 1), key=itemgetter(1))
        paces = Counter(int(value // 30) * 30 for value in times)
        return {
            "runner": runner,
            "laps": len(times),
            "total": str(timedelta(seconds=round(sum(times)))),
            "rolling": rolling,
            "fastest": [lap for lap, _ in fastest],
            "usual": min(paces.items(), key=lambda item: (-item[1], item[0]))[0],
            "even": pstdev(times) < 0.05 * fmean(times),
        }
