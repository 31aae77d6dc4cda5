"""The packages an advocate chooses from: all of them where they are few, else those that climbing finds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np

from graphbus_core.participants.advocates.own import Floats, Packages, neighbourhood
from graphbus_core.participants.advocates.words import Package

FEW = 6_000  # outcomes that are all looked at
DRAWN = 800  # random packages beside the climb, where there are more
CLIMBS = 6
STEPS = 25
LOOKS = 8_000  # packages looked at in all climbs together


def candidates(
    shape: tuple[int, ...], starts: Iterable[Package], worth: Callable[[Packages], Floats], salt: str
) -> Packages:
    """Packages worth a look, each once, in a fixed order. `worth` tells which way is up."""
    size = int(np.prod(np.array(shape, dtype=np.float64)))
    if size <= FEW:
        return every(shape)
    found: dict[Package, None] = dict.fromkeys(starts)
    rng = random.Random(salt)
    drawn = [tuple(rng.randrange(n) for n in shape) for _ in range(DRAWN)]
    steps = max(3, min(STEPS, LOOKS // (CLIMBS * sum(shape))))
    pool = np.array([*found, *drawn], dtype=np.int64)
    value = worth(pool)
    for place in np.argsort(-value, kind="stable")[:CLIMBS]:
        at = tuple(int(v) for v in pool[place])
        height = float(value[place])
        for _ in range(steps):
            around = neighbourhood(at, shape)
            heights = worth(around)
            for better in np.argsort(-heights, kind="stable")[:20]:
                found[tuple(int(v) for v in around[better])] = None
            top = int(heights.argmax())
            if heights[top] <= height + 1e-9:
                break
            at, height = tuple(int(v) for v in around[top]), float(heights[top])
        found[at] = None
    return np.array(sorted(found), dtype=np.int64)


@lru_cache(maxsize=8)
def every(shape: tuple[int, ...]) -> Packages:
    """Every package, in canonical order."""
    return np.indices(shape, dtype=np.int64).reshape(len(shape), -1).T.copy()
