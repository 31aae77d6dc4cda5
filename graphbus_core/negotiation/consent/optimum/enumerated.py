"""Exact optima by looking at all outcomes: Nash, egalitarian, utilitarian; what dominates one; what each crosses.

Block by block with bounds: a block whose best possible score vector improves nothing is skipped. A surplus is a score
less the party's floor (its minimum, or the least it can get). What is found stands in `found`; who asks, in `best`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.optimum.found import Optima, Optimum, Relaxation, relaxation_at, unit_cost
from graphbus_core.negotiation.consent.optimum.grid import Floats, Grid
from graphbus_core.negotiation.consent.scenario.scenario import EPSILON, Outcome, Scenario

_TIE = 1e-12


def enumerate_optima(grid: Grid) -> Optima | None:
    """The optima by looking at every block that may improve one. Ties: the greater sum, then canonical order."""
    n = len(grid.parties)
    minimum = np.array([-np.inf if p.minimum is None else p.minimum - EPSILON for p in grid.parties])
    best: dict[str, tuple[float, float, Outcome, Floats]] = {}
    for head in grid.heads():
        high = grid.head_scores(head) + grid.head_bonus(head) + grid.tail_high
        if n and ((high < minimum).any() or not _may_improve(high, high - grid.floor, best)):
            continue
        block = grid.block(head)
        allowed = grid.allowed(block)
        if not allowed.any():
            continue
        total = block.scores.sum(axis=0) if n else np.zeros(grid.width)
        surplus = block.scores - grid.floor[:, None]
        nash = np.ones(grid.width)
        least = np.full(grid.width, np.inf if n else 0.0)
        for row in surplus:
            np.multiply(nash, np.where(row > EPSILON, row, 0.0), out=nash)
            np.minimum(least, row, out=least)
        for name, value in (("nash", nash), ("egalitarian", least), ("utilitarian", total)):
            _keep(best, name, np.where(allowed, value, -np.inf), total, grid, block.head, block.scores)
    if not best:
        return None
    found = {k: Optimum(float(v), o, tuple(float(x) for x in s)) for k, (v, _, o, s) in best.items()}
    return Optima(found["nash"], found["egalitarian"], found["utilitarian"])


def enumerate_leximin(grid: Grid, scale: Sequence[float] | None) -> Optimum | None:
    """The permitted outcome whose gains (over `scale`), sorted, are the greatest; ties by the sum of scores."""
    unit = np.ones(len(grid.parties)) if scale is None else np.array(scale)
    best: tuple[list[float], float, Outcome, Floats] | None = None
    for head in grid.heads():
        high = (grid.head_scores(head) + grid.head_bonus(head) + grid.tail_high - grid.floor) / unit
        if best is not None and len(unit) and high.min() < best[0][0] - EPSILON:
            continue  # the least gain of this whole block is below the least of the best
        block = grid.block(head)
        left = np.flatnonzero(grid.allowed(block))
        if not len(left):
            continue
        rows = np.sort((block.scores - grid.floor[:, None]) / unit[:, None], axis=0)
        for row in rows:
            left = left[row[left] >= row[left].max() - EPSILON]
        place = int(left[block.scores[:, left].sum(axis=0).argmax()])
        found = ([float(v) for v in rows[:, place]], float(block.scores[:, place].sum()))
        if best is None or _beats(found, best):
            best = (*found, grid.outcome(block, place), block.scores[:, place].copy())
    if best is None:
        return None
    return Optimum(best[0][0] if best[0] else 0.0, best[2], tuple(float(s) for s in best[3]))


def _beats(found: tuple[list[float], float], best: tuple[list[float], float, Outcome, Floats]) -> bool:
    for new, old in zip(found[0], best[0], strict=True):
        if abs(new - old) > EPSILON:
            return new > old
    return found[1] > best[1] + EPSILON


def enumerate_ideals(grid: Grid) -> list[float] | None:
    """The most that each party gains over the permitted outcomes; None where there are none."""
    most: Floats | None = None
    for head in grid.heads():
        block = grid.block(head)
        allowed = grid.allowed(block)
        if allowed.any():
            here = (block.scores[:, allowed] - grid.floor[:, None]).max(axis=1)
            most = here if most is None else np.maximum(most, here)
    return None if most is None else [float(m) for m in most]


def _may_improve(high: Floats, surplus: Floats, best: dict[str, tuple[float, float, Outcome, Floats]]) -> bool:
    if not best:
        return True
    return bool(
        np.prod(np.maximum(surplus, 0.0)) >= best["nash"][0] * (1 - _TIE)
        or surplus.min() >= best["egalitarian"][0] - _TIE
        or high.sum() >= best["utilitarian"][0] - _TIE
    )


def _keep(
    best: dict[str, tuple[float, float, Outcome, Floats]],
    name: str,
    value: Floats,
    total: Floats,
    grid: Grid,
    head: tuple[int, ...],
    scores: Floats,
) -> None:
    top = float(value.max())
    old = best.get(name)
    # of a product the slack is relative: many small surpluses make a tiny one, and tiny ones still differ
    slack = _TIE * (abs(top) if name == "nash" else max(1.0, abs(top)))
    if old is not None and top < old[0] - slack:
        return
    ties = np.flatnonzero(value >= top - slack)
    place = int(ties[np.argmax(total[ties])])
    if old is None or top > old[0] + slack or float(total[place]) > old[1] + slack:
        outcome = head + tuple(int(v) for v in np.unravel_index(place, grid.shape[grid.split :]))
        best[name] = (top, float(total[place]), outcome, scores[:, place].copy())


def enumerate_dominator(grid: Grid, outcome: Outcome) -> Outcome | None:
    """The outcome that makes someone better off and nobody worse, with the greatest sum of scores, or None."""
    if not grid.parties:
        return None
    own = grid.scores_of(outcome)
    best: tuple[float, Outcome] | None = None
    for head in grid.heads():
        if (grid.head_scores(head) + grid.head_bonus(head) + grid.tail_high < own - EPSILON).any():
            continue
        block = grid.block(head)
        better = (block.scores >= own[:, None] - EPSILON).all(axis=0) & (block.scores > own[:, None] + EPSILON).any(
            axis=0
        )
        if not better.any():
            continue
        better &= grid.allowed(block)
        if better.any():
            total = np.where(better, block.scores.sum(axis=0), -np.inf)
            place = int(total.argmax())
            if best is None or float(total[place]) > best[0] + EPSILON:
                best = (float(total[place]), grid.outcome(block, place))
    return best[1] if best else None


@dataclass(frozen=True, slots=True)
class Crossings:
    """Which sets of red lines outcomes cross, as bits. `relaxation`: the cheapest; None: some outcome crosses none."""

    masks: NDArray[np.int64]
    lines: int
    relaxation: Relaxation | None

    def crossed_when_keeping(self, chosen: frozenset[int]) -> frozenset[int] | None:
        """The fewest lines that some outcome crosses which keeps the chosen ones; None: no outcome keeps them."""
        bits = sum(1 << i for i in chosen)
        free = np.flatnonzero((self.masks & bits) == 0)
        if not len(free):
            return None
        fewest = min((int(self.masks[i]) for i in free), key=lambda m: (m.bit_count(), m))
        return frozenset(i for i in range(self.lines) if fewest >> i & 1)


def crossings(scenario: Scenario, names: Sequence[str] | None = None) -> Crossings:
    """Every distinct set of red lines (of `names`, default all) that an outcome crosses."""
    grid = Grid(scenario, names)
    masks, relaxation = _scan(grid)
    return Crossings(masks, len(grid.lines), relaxation)


def _scan(grid: Grid) -> tuple[NDArray[np.int64], Relaxation | None]:
    """Every distinct set of crossed lines as bits, and the cheapest relaxation (None: some outcome crosses none)."""
    costs = [unit_cost(grid.scenario, line) for line in grid.lines]
    found: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
    best: tuple[int, float, Outcome] | None = None
    for head in grid.heads():
        block = grid.block(head)
        bits = np.zeros(grid.width, dtype=np.int64)
        count = np.zeros(grid.width, dtype=np.int64)
        price = np.zeros(grid.width)
        for n, line in enumerate(grid.lines):
            by = grid.violation(line, block)
            crossed = by > 0
            bits |= crossed.astype(np.int64) << n
            count += crossed
            price += by * costs[n]
        if not count.all():
            return np.unique(bits), None
        found = np.union1d(found, bits)
        fewest = int(count.min())
        if best is None or fewest <= best[0]:
            value = np.where(count == fewest, price, np.inf)
            place = int(value.argmin())
            if best is None or (fewest, float(value[place])) < (best[0], best[1] - EPSILON):
                best = (fewest, float(value[place]), grid.outcome(block, place))
    assert best is not None, "a scenario has at least one outcome"
    return found, relaxation_at(grid.scenario, grid.lines, best[2])
