# pure
"""Keeps nothing: the window that slides over the samples is made for each event."""
from collections import deque
from itertools import islice
from statistics import fmean, median
from typing import Iterable, Iterator

from graphbus_core import GraphBusNode, subscribe


def windows(values: Iterable[float], size: int) -> Iterator[tuple[float, ...]]:
    it = iter(values)
    window = deque(islice(it, size - 1), maxlen=size)
    for v in it:
        window.append(v)
        yield tuple(window)


def spikes(values, size, limit):
    for i, w in enumerate(windows(values, size)):
        middle = w[size // 2]
        if abs(middle - median(w)) > limit:
            yield i + size // 2


def without(values, positions):
    drop = frozenset(positions)
    return (v for i, v in enumerate(values) if i not in drop)


class SpikeFilter(GraphBusNode):
    SIZE = 3
    LIMIT = 10.0

    @subscribe("/lab/series")
    def on_series(self, samples: list[float]) -> dict[str, object]:
        found = list(spikes(samples, self.SIZE, self.LIMIT))
        kept = list(without(samples, found))
        return {"spikes": found, "mean": round(fmean(kept), 4) if kept else None}
