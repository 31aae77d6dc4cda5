# pure
"""Keeps nothing: each event carries its board, and the generations are local sets."""
from __future__ import annotations

from collections import Counter
from itertools import product

from graphbus_core import GraphBusNode, subscribe

Cell = tuple[int, int]
RULES = {"life": ("3", "23"), "highlife": ("36", "23"), "seeds": ("2", ""), "maze": ("3", "12345")}
AROUND = [step for step in product((-1, 0, 1), repeat=2) if any(step)]


def parse(rows: list[str]) -> frozenset[Cell]:
    return frozenset((x, y) for y, row in enumerate(rows) for x, ch in enumerate(row) if ch in "#O*")


def step(alive: frozenset[Cell], rule: str) -> frozenset[Cell]:
    born, stays = RULES[rule]
    near = Counter((x + dx, y + dy) for x, y in alive for dx, dy in AROUND)
    candidates = near.keys() | alive
    return frozenset(c for c in candidates if str(near[c]) in (stays if c in alive else born))


def normal(alive: frozenset[Cell]) -> frozenset[Cell]:
    if not alive:
        return alive
    left, top = min(x for x, _ in alive), min(y for _, y in alive)
    return frozenset((x - left, y - top) for x, y in alive)


def render(alive: frozenset[Cell]) -> list[str]:
    shape = normal(alive)
    width = max((x for x, _ in shape), default=-1) + 1
    height = max((y for _, y in shape), default=-1) + 1
    return ["".join("#" if (x, y) in shape else "." for x in range(width)) for y in range(height)]


class LifeBoard(GraphBusNode):
    @subscribe("/Board/Run")
    def on_run(self, rows: list[str], rule: str, generations: int) -> dict[str, object]:
        rule = rule if rule in RULES else "life"
        alive = parse(rows)
        seen = {normal(alive): 0}
        period = None
        for generation in range(1, min(generations, 200) + 1):
            alive = step(alive, rule)
            first = seen.setdefault(normal(alive), generation)
            if first != generation:
                period = generation - first
                break
        return {"population": len(alive), "board": render(alive), "period": period}
