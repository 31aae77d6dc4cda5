"""Histograms with growing bins, for sizes of files."""
from bisect import bisect_right
from typing import NamedTuple, Sequence

from graphbus_core import GraphBusNode, depends_on, schema_method


class Bins(NamedTuple):
    edges: tuple[float, ...]

    def place(self, value: float) -> int:
        at = bisect_right(self.edges, value) - 1
        if at < 0:
            raise ValueError(value)
        return min(at, len(self.edges) - 1)

    @classmethod
    def growing(cls, first: float, factor: float, number: int) -> "Bins":
        return cls(tuple(first * factor**i for i in range(number)))


class Histogram(GraphBusNode):
    def __init__(self, bins: Bins | None = None):
        super().__init__()
        self.bins = bins or Bins.growing(1.0, 4.0, 3)

    @schema_method(
        input_schema={"values": list},
        output_schema={"counts": list[int], "edges": list[float]},
    )
    def build(self, values: Sequence[float]):
        counts = [0] * len(self.bins.edges)
        for value in values:
            counts[self.bins.place(value)] += 1
        return {"counts": counts, "edges": list(self.bins.edges)}


class BinMean(GraphBusNode):
    @depends_on("Histogram.build")
    @schema_method(
        input_schema={"counts": list[int], "centers": list[float]},
        output_schema={"mean": float},
    )
    def estimate(self, counts, centers):
        total = sum(counts)
        if not total:
            return {"mean": 0.0}
        return {"mean": sum(n * c for n, c in zip(counts, centers)) / total}
