# pure
"""Keeps nothing: sorting and inserting happen on copies, and the constant tuples stay as they are."""
import math
from bisect import bisect_left, insort

from graphbus_core import GraphBusNode, subscribe

NICE = (1.0, 2.0, 2.5, 5.0, 10.0)
BANDS = [0.0, 18.5, 25.0, 30.0]
LABELS = ("none", "low", "normal", "raised", "high")


def step_for(span: float, ticks: int) -> float:
    raw = span / max(1, ticks - 1)
    power = 10 ** math.floor(math.log10(raw))
    return next(n for n in NICE if n >= raw / power - 1e-9) * power


def axis(low: float, high: float, ticks: int) -> list[float]:
    if high <= low:
        high = low + 1
    step = step_for(high - low, ticks)
    start, end = math.floor(low / step), math.ceil(high / step)
    return [round(i * step, 10) for i in range(start, end + 1)]


def with_marks(ticks: list[float], marks: list[float]) -> list[float]:
    merged = ticks.copy()
    for mark in marks:
        if mark not in merged:
            insort(merged, mark)
    return merged


class ChartAxis(GraphBusNode):
    @subscribe("/Charts/Series")
    def on_series(self, values: list[float], ticks: int) -> dict[str, object]:
        if not values:
            return {"axis": [], "bands": []}
        ordered = sorted(values)
        ticks_at = axis(ordered[0], ordered[-1], max(2, ticks))
        inside = [b for b in BANDS if ticks_at[0] < b < ticks_at[-1]]
        return {
            "axis": with_marks(ticks_at, inside),
            "bands": [LABELS[bisect_left(BANDS, v)] for v in values],
            "median": ordered[len(ordered) // 2],
        }
