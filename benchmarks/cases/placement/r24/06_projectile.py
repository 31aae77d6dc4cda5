# pure
"""The integrator is a generator begun anew for every shot."""
from __future__ import annotations

import math
from itertools import takewhile
from typing import Iterator, NamedTuple

from graphbus_core import GraphBusNode, subscribe

G = 9.80665


class State(NamedTuple):
    x: float
    y: float
    vx: float
    vy: float

    def plus(self, d: "State", h: float) -> "State":
        return State(*(a + h * b for a, b in zip(self, d)))


def slope(s: State, k: float) -> State:
    v = math.hypot(s.vx, s.vy)
    return State(s.vx, s.vy, -k * v * s.vx, -G - k * v * s.vy)


def flight(s: State, k: float, h: float) -> Iterator[State]:
    while True:
        yield s
        k1 = slope(s, k)
        k2 = slope(s.plus(k1, h / 2), k)
        k3 = slope(s.plus(k2, h / 2), k)
        k4 = slope(s.plus(k3, h), k)
        mean = State(*((a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(k1, k2, k3, k4)))
        s = s.plus(mean, h)


class Projectile(GraphBusNode):
    def __init__(self, step: float = 0.02) -> None:
        super().__init__()
        self.step = step

    @subscribe("/range/shot")
    def on_shot(self, speed: float, angle: float, drag: float) -> dict[str, float]:
        a = math.radians(angle)
        start = State(0.0, 0.0, speed * math.cos(a), speed * math.sin(a))
        path = list(takewhile(lambda s: s.y >= 0, flight(start, drag, self.step)))
        return {
            "range": round(path[-1].x, 2),
            "apex": round(max(s.y for s in path), 2),
            "seconds": round(len(path) * self.step, 2),
        }
