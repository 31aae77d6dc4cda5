# stateful
"""A generator started in the constructor keeps the smoothed value between two sends."""
from collections.abc import Generator

from graphbus_core import GraphBusNode, subscribe

ZONES = [(90, "rest"), (120, "warm-up"), (150, "aerobic"), (175, "threshold")]


def smoother(alpha: float) -> Generator[float, float, None]:
    value = yield 0.0
    level = value
    while True:
        value = yield level
        level += alpha * (value - level)


def zone(rate: float) -> str:
    for limit, name in ZONES:
        if rate < limit:
            return name
    return "maximum"


class HeartRate(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._filter = smoother(0.3)
        next(self._filter)

    @subscribe("/watch/beat")
    def on_beat(self, interval_ms: int) -> dict[str, object]:
        if not 250 <= interval_ms <= 2500:
            return {"valid": False}
        rate = self._filter.send(60_000 / interval_ms)
        return {"valid": True, "rate": round(rate, 1), "zone": zone(rate)}
