# pure
"""The sliding window slides along the readings of one event and ends with it."""
from collections import deque
from itertools import accumulate
from statistics import fmean, median
from typing import Iterable, Iterator

from graphbus_core import GraphBusNode, subscribe


def windows(values: Iterable[float], size: int) -> Iterator[tuple[float, ...]]:
    recent: deque[float] = deque(maxlen=size)
    for value in values:
        recent.append(value)
        if len(recent) == size:
            yield tuple(recent)


def smooth(values: Iterable[float], alpha: float) -> list[float]:
    return list(accumulate(values, lambda level, value: level + alpha * (value - level)))


class ReadingWindows(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._alpha = 0.25
        self._size = 3

    @subscribe("/sensor/batch")
    def on_batch(self, sensor: str, values: list[float]) -> dict[str, object]:
        if not values:
            return {"sensor": sensor, "empty": True}
        medians = [median(w) for w in windows(values, self._size)]
        trend = smooth(values, self._alpha)
        return {"sensor": sensor, "medians": medians, "level": round(trend[-1], 4)}

    @subscribe("/sensor/compare")
    def on_compare(self, before: list[float], after: list[float]) -> dict[str, float]:
        return {"shift": round(fmean(after or [0.0]) - fmean(before or [0.0]), 4)}
