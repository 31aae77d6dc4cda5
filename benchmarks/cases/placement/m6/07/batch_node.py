import math
from itertools import groupby
from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe

from filters import smooth_all


class Welford:
    def __init__(self) -> None:
        self.n = 0
        self.mean = 0.0
        self.m2 = 0.0

    def push(self, x: float) -> None:
        self.n += 1
        delta = x - self.mean
        self.mean += delta / self.n
        self.m2 += delta * (x - self.mean)

    @property
    def deviation(self) -> float:
        return math.sqrt(self.m2 / self.n) if self.n else 0.0


class BatchNode(GraphBusNode):
    """Statistics of one uploaded batch."""

    @subscribe("/Batch")
    def on_batch(self, rows: list[list]) -> dict:
        result = {}
        for sensor, group in groupby(sorted(rows), key=itemgetter(0)):
            stats = Welford()
            values = [value for _, value in group]
            for value in values:
                stats.push(value)
            result[sensor] = {
                "n": stats.n,
                "mean": round(stats.mean, 4),
                "deviation": round(stats.deviation, 4),
                "last_smooth": round(smooth_all(values)[-1], 4),
            }
        return result
