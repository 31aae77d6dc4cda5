# stateful
"""Keeps the first reading as tare: the method that sees it puts a bound partial in its own place."""
from functools import partial
from statistics import median

from graphbus_core import GraphBusNode, subscribe

GRAMS_PER_COUNT = 0.0185


def settled(counts: list[int]) -> float:
    """The middle of the burst, without the two most distant readings when there are enough."""
    ordered = sorted(counts)
    if len(ordered) >= 5:
        ordered = ordered[1:-1]
    return median(ordered)


class ScaleTare(GraphBusNode):
    """Weighs a burst of counts from the load cell."""

    def __init__(self) -> None:
        super().__init__()
        self.weigh = self._calibrate

    def _calibrate(self, counts: list[int]) -> float:
        empty = settled(counts)
        self.weigh = partial(self._net, empty)
        return 0.0

    @staticmethod
    def _net(empty: float, counts: list[int]) -> float:
        return (settled(counts) - empty) * GRAMS_PER_COUNT

    @subscribe("/Scale/Burst")
    def on_burst(self, scale: str, counts: list[int]) -> dict[str, object]:
        if not counts:
            return {"scale": scale, "grams": None}
        return {"scale": scale, "grams": round(self.weigh(counts), 2)}
