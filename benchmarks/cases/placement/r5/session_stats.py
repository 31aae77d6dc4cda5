# pure
"""Keeps nothing: a coroutine-style accumulator is opened, fed and closed for each list of samples."""
from math import inf, sqrt
from typing import Generator, NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Summary(NamedTuple):
    count: int
    mean: float
    deviation: float
    low: float
    high: float


def accumulate() -> Generator[None, float | None, Summary]:
    """Welford's method; None ends it."""
    count, mean, squares, low, high = 0, 0.0, 0.0, inf, -inf
    while (value := (yield)) is not None:
        count += 1
        delta = value - mean
        mean += delta / count
        squares += delta * (value - mean)
        low, high = min(low, value), max(high, value)
    deviation = sqrt(squares / (count - 1)) if count > 1 else 0.0
    return Summary(count, round(mean, 4), round(deviation, 4), low, high)


def summarise(samples: list[float]) -> Summary:
    running = accumulate()
    next(running)
    for sample in samples:
        running.send(sample)
    try:
        running.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError("accumulator goes on")


class SessionStats(GraphBusNode):
    """Sums up the heart rates of a training session."""

    @subscribe("/Training/Session")
    def on_session(self, athlete: str, rates: list[float]) -> dict[str, object]:
        usable = [rate for rate in rates if 30 <= rate <= 230]
        if not usable:
            return {"athlete": athlete, "error": "no usable rates"}
        return {"athlete": athlete, "dropped": len(rates) - len(usable), **summarise(usable)._asdict()}
