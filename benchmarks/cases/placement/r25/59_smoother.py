# stateful
"""Keeps a running average inside a generator that stays suspended between events."""
from typing import Callable, Generator

from graphbus_core import GraphBusNode, subscribe

Filter = Generator[float, float, None]


def ema(alpha: float) -> Filter:
    level = yield 0.0
    while True:
        level += alpha * ((yield round(level, 4)) - level)


def started(make: Callable[[], Filter]) -> Filter:
    gen = make()
    next(gen)
    return gen


def clip(lo: float, hi: float) -> Callable[[float], float]:
    return lambda v: max(lo, min(hi, v))


def compose(*steps):
    def run(value):
        for step in steps:
            value = step(value)
        return value
    return run


class Smoother(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.pipeline = compose(
            clip(-50.0, 150.0),
            started(lambda: ema(0.3)).send,
            lambda v: {"smoothed": v},
        )

    @subscribe("/signal/raw")
    def on_value(self, value: float) -> dict:
        return self.pipeline(value)
