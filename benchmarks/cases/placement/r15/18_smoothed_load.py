# pure
"""Keeps nothing: the coroutine-like generator that smooths a series is started for each series."""
from collections import deque
from collections.abc import Callable, Generator
from functools import wraps
from typing import Any

from graphbus_core import GraphBusNode, subscribe


def primed(make: Callable[..., Generator]) -> Callable[..., Generator]:
    @wraps(make)
    def start(*args: Any, **kwargs: Any) -> Generator:
        generator = make(*args, **kwargs)
        next(generator)
        return generator

    return start


@primed
def smoother(width: int) -> Generator[float, float, None]:
    window: deque[float] = deque(maxlen=width)
    mean = 0.0
    while True:
        value = yield mean
        window.append(value)
        mean = sum(window) / len(window)


@primed
def peaks(limit: float) -> Generator[int, float, None]:
    count, above = 0, False
    while True:
        value = yield count
        if value > limit and not above:
            count += 1
        above = value > limit


class SmoothedLoad(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._filters = {"fast": 2, "normal": 4, "slow": 8}

    @subscribe("/Grid/Load")
    def on_load(self, station: str, kind: str, megawatts: list[float], limit: float) -> dict[str, object]:
        smooth = smoother(self._filters.get(kind, 4))
        counter = peaks(limit)
        means, crossings = [], 0
        for value in megawatts:
            mean = smooth.send(value)
            crossings = counter.send(mean)
            means.append(round(mean, 3))
        smooth.close()
        counter.close()
        return {"station": station, "means": means, "peaks": crossings}
