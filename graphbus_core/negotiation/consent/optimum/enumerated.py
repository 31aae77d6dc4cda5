"""Exact optima: Nash, egalitarian and utilitarian, who dominates an outcome, and the Pareto frontier. By enumeration.

Block by block with bounds: a block whose best possible score vector improves nothing is skipped. Domains that cannot
be enumerated go to `solver`. A surplus is a score less the party's floor (its minimum, or the least it can get).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphbus_core.negotiation.consent.optimum.grid import Bools, Floats, Grid
from graphbus_core.negotiation.consent.scenario.scenario import EPSILON, Outcome, Scenario

ENUMERABLE = 30_000_000  # outcomes; beyond this `solver` is faster and never worse
FRONTIER_MAX = 3_000
_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Optimum:
    """A best outcome with the value it reaches: product of surpluses, least surplus, or sum of scores."""

    value: float
    outcome: Outcome
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Optima:
    """The three optima over the outcomes that cross no red line of the chosen advocates."""

    nash: Optimum
    egalitarian: Optimum
    utilitarian: Optimum


@dataclass(frozen=True, slots=True)
class Frontier:
    """Pareto-efficient outcomes. `complete`: whether all of them are here."""

    points: tuple[tuple[Outcome, tuple[float, ...]], ...]
    complete: bool


def optima(scenario: Scenario, names: Sequence[str] | None = None) -> Optima | None:
    """The exact optima, or None where no outcome keeps every red line (of the advocates `names`, default all)."""
    if scenario.size > ENUMERABLE:
        from graphbus_core.negotiation.consent.optimum.programmed import solve_optima

        return solve_optima(scenario, names)
    return enumerate_optima(Grid(scenario, names))


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


def dominator(scenario: Scenario, outcome: Outcome, names: Sequence[str] | None = None) -> Outcome | None:
    """The outcome that makes someone better off and nobody worse, crossing no red line, or None: it is efficient.

    Of several, the one with the greatest sum of scores.
    """
    if scenario.size > ENUMERABLE:
        from graphbus_core.negotiation.consent.optimum.programmed import solve_dominator

        return solve_dominator(scenario, outcome, names)
    grid = Grid(scenario, names)
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


def frontier(scenario: Scenario, names: Sequence[str] | None = None, at_most: int = FRONTIER_MAX) -> Frontier:
    """The Pareto frontier over the outcomes that cross no red line, as far as `at_most` points.

    Where nothing but minimums binds, partial sums that are dominated are dropped issue by issue; else block by block.
    """
    grid = Grid(scenario, names)
    if not grid.parties:
        return Frontier((), True)
    if is_separable(scenario, names):
        return _frontier_by_issue(grid, at_most)
    if scenario.size > ENUMERABLE:
        return Frontier((), False)
    return _frontier_by_block(grid, at_most)


def is_separable(scenario: Scenario, names: Sequence[str] | None = None) -> bool:
    """Whether nothing but minimum scores binds and every score is a plain sum: partial sums then tell all."""
    chosen = [a for a in scenario.advocates if names is None or a.name in names]
    lines = sum(len(a.red_lines) for a in chosen)
    return lines == sum(a.minimum is not None for a in chosen) and not any(a.conditionals for a in chosen)


def _frontier_by_issue(grid: Grid, at_most: int) -> Frontier:
    minimum = np.array([-np.inf if p.minimum is None else p.minimum - EPSILON for p in grid.parties])
    tables = [np.array([p.scores[i] for p in grid.parties if p.scores]).T for i in range(len(grid.shape))]
    rest = np.cumsum([t.max(axis=0) for t in reversed(tables)], axis=0)[::-1]
    sums = np.zeros((1, len(grid.parties)))
    picks = np.zeros((1, 0), dtype=np.int32)
    for i, table in enumerate(tables):
        size = len(sums) * len(table)
        if not size:  # no outcome reaches every minimum
            return Frontier((), True)
        if size > 400_000:
            return Frontier((), False)
        joined = (sums[:, None, :] + table[None, :, :]).reshape(size, -1)
        chosen = np.hstack(
            [np.repeat(picks, len(table), axis=0), np.tile(np.arange(len(table), dtype=np.int32), len(sums))[:, None]]
        )
        left = rest[i + 1] if i + 1 < len(rest) else 0.0
        reach = (joined + left >= minimum).all(axis=1)
        joined, chosen = joined[reach], chosen[reach]
        keep = efficient(joined, at_most * 2)
        if keep is None:
            return Frontier((), False)
        sums, picks = joined[keep], chosen[keep]
    if len(sums) > at_most:
        return Frontier((), False)
    return _frontier([tuple(int(v) for v in row) for row in picks], sums)


def _frontier_by_block(grid: Grid, at_most: int) -> Frontier:
    kept = np.zeros((0, len(grid.parties)))
    outcomes: list[Outcome] = []
    for head in grid.heads():
        block = grid.block(head)
        places = np.flatnonzero(grid.allowed(block))
        if not len(places):
            continue
        new = block.scores[:, places].T
        inside = efficient(new, at_most * 2)
        if inside is None:
            return Frontier((), False)
        places, new = places[inside], new[inside]
        merged = np.vstack([kept, new])
        labels = outcomes + [grid.outcome(block, int(p)) for p in places]
        keep = efficient(merged, at_most * 2)
        if keep is None:
            return Frontier((), False)
        kept, outcomes = merged[keep], [labels[int(k)] for k in keep]
    if len(outcomes) > at_most:
        return Frontier((), False)
    return _frontier(outcomes, kept)


def _frontier(outcomes: list[Outcome], scores: Floats) -> Frontier:
    pairs = sorted(zip(outcomes, (tuple(float(v) for v in row) for row in scores), strict=True))
    return Frontier(tuple(pairs), True)


def efficient(points: Floats, at_most: int) -> np.ndarray[tuple[int], np.dtype[np.intp]] | None:
    """Indexes of the points that no other point dominates, one of each equal group; None: more than `at_most`.

    By falling sum: a point can be dominated only by one before it.
    """
    if not len(points):
        return np.zeros(0, dtype=np.intp)
    order = np.argsort(-points.sum(axis=1), kind="stable")
    kept = np.empty((min(len(points), at_most + 1), points.shape[1]))
    indexes: list[int] = []
    for start in range(0, len(order), 256):
        chunk = order[start : start + 256]
        values = points[chunk]
        before = len(indexes)
        if before:
            free = ~_covered(values, kept[:before])
            chunk, values = chunk[free], values[free]
        for place, value in zip(chunk, values, strict=True):
            count = len(indexes)
            if count > before and (kept[before:count] >= value - EPSILON).all(axis=1).any():
                continue
            kept[count] = value
            indexes.append(int(place))
            if count + 1 > at_most:
                return None
    return np.array(indexes, dtype=np.intp)


def _covered(values: Floats, kept: Floats) -> Bools:
    """Which values are at most one of the kept points in every score."""
    out = np.zeros(len(values), dtype=np.bool_)
    for start in range(0, len(kept), 512):
        part = kept[start : start + 512]
        below: Bools = np.all(part[None, :, :] >= values[:, None, :] - EPSILON, axis=2)
        out |= np.any(below, axis=1)
    return out
