# stateful
"""A primed coroutine per meter waits between two events and holds the reading before."""
from collections.abc import Generator

from graphbus_core import GraphBusNode, subscribe

Coroutine = Generator[float, float, None]


def differences(digits: int) -> Coroutine:
    """Yields what was used since the reading before; the counter may roll over."""
    before = yield 0.0
    used = 0.0
    while True:
        reading = yield used
        used = (reading - before) % 10 ** digits
        before = reading


def primed(coroutine: Coroutine) -> Coroutine:
    next(coroutine)
    return coroutine


class UsageByMeter(dict):
    def __missing__(self, meter: str) -> Coroutine:
        self[meter] = primed(differences(5 if meter.startswith("old") else 6))
        return self[meter]


class Usage(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._meters = UsageByMeter()

    @subscribe("/Energy/Readings")
    def on_reading(self, meter: str, reading: float) -> dict[str, object]:
        used = self._meters[meter].send(reading)
        level = "high" if used > 500 else "normal"
        return {"meter": meter, "used": round(used, 2), "level": level}
