from __future__ import annotations

from functools import lru_cache
from math import sqrt
from typing import Sequence


@lru_cache(maxsize=None)
def window(n: int) -> list[float]:
    return [round(1 - abs(2 * i / max(n - 1, 1) - 1), 4) for i in range(n)]


@lru_cache(maxsize=None)
def kernel(n: int) -> tuple[float, ...]:
    return tuple(round(1 / (1 + i), 4) for i in range(n))


def mean(xs: Sequence[float]) -> float:
    return sum(xs) / len(xs) if xs else 0.0


def stdev(xs: Sequence[float]) -> float:
    m = mean(xs)
    return sqrt(mean([(x - m) ** 2 for x in xs]))
