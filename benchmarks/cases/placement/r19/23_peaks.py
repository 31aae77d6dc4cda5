# stateful
"""accumulate() runs over an endless feed from a deque and so knows the highest load it has ever been given."""
from collections import deque
from collections.abc import Iterator
from itertools import accumulate

from graphbus_core import GraphBusNode, subscribe


def drain(inbox: deque[float]) -> Iterator[float]:
    while True:
        yield inbox.popleft()


def bands() -> Iterator[tuple[float, str]]:
    yield from zip((60.0, 85.0, 100.0), ("green", "yellow", "orange"))
    yield float("inf"), "red"


class PeakWatch(GraphBusNode):
    """Bills large customers by their peak."""

    def __init__(self) -> None:
        super().__init__()
        self._inbox: deque[float] = deque()
        self._peaks = accumulate(drain(self._inbox), max)

    @subscribe("/Energy/Load")
    def on_load(self, feeder: str, kilowatts: float, rated: float) -> dict[str, object]:
        percent = 100.0 * kilowatts / rated
        self._inbox.append(percent)
        peak = next(self._peaks)
        band = next(name for limit, name in bands() if percent <= limit)
        return {"feeder": feeder, "band": band, "of_peak": round(percent / peak, 3)}
