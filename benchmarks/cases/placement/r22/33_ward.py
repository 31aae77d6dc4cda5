# stateful
"""The last three readings of each bed stand in nested containers."""
from collections import defaultdict, deque
from statistics import median

from graphbus_core import GraphBusNode, subscribe

LIMITS = {"pulse": (50.0, 110.0), "temp": (35.5, 38.5)}


def window() -> deque:
    return deque(maxlen=3)


def outside(sign: str, value: float) -> bool:
    low, high = LIMITS[sign]
    return not low <= value <= high


class Monitor(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.beds: dict[int, dict[str, deque]] = defaultdict(lambda: defaultdict(window))

    def _smooth(self, bed: int, sign: str, value: float) -> float:
        recent = self.beds[bed][sign]
        recent.appendleft(value)
        return median(recent)

    @subscribe("/Reading")
    def on_reading(self, bed: int, sign: str, value: float) -> dict[str, object]:
        smooth = self._smooth(bed, sign, value)
        alarm = outside(sign, smooth)
        return {"bed": bed, sign: round(smooth, 1), "alarm": alarm}
