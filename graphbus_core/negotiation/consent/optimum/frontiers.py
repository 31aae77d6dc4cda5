"""The Pareto frontier: outcomes that nobody can better without somebody losing. Issue by issue, or block by block."""

from __future__ import annotations

import numpy as np

from graphbus_core.negotiation.consent.optimum.found import Frontier
from graphbus_core.negotiation.consent.optimum.grid import Bools, Floats, Grid
from graphbus_core.negotiation.consent.scenario.scenario import EPSILON, Outcome


def frontier_by_issue(grid: Grid, at_most: int) -> Frontier:
    """Partial sums that are dominated are dropped issue by issue: right where scores are plain sums."""
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


def frontier_by_block(grid: Grid, at_most: int) -> Frontier:
    """Every block's efficient outcomes, merged into those kept so far."""
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
