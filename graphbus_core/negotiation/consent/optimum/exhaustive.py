"""Exact optima by looking at all outcomes: Nash, egalitarian, utilitarian; what dominates one; what each crosses.

Block by block with bounds: a block whose best possible score vector improves nothing is skipped. A surplus is a score
less the party's floor (its minimum, or the least it can get). What is found stands in `found`; who asks, in `best`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.optimum.results import (
    Frontier,
    Optima,
    Optimum,
    Relaxation,
    compute_relaxation,
    compute_unit_cost,
)
from graphbus_core.negotiation.consent.scenario.model import (
    EPSILON,
    Conditional,
    Forbidden,
    Limit,
    MinimumScore,
    Package,
    RedLine,
    Scenario,
)

# All outcomes of a scenario as blocks of numbers: scores a party, red lines crossed. The ground of everything exact.
#
# The last issues form the tail, whose score vectors are computed once; each choice of the first issues is a block: the
# tail shifted. Memory is bounded by the block, whatever the number of outcomes. It knows no optimum and no file.


NARROW, WIDE = (
    512,
    1_000_000,
)  # a tail below the one takes in one more issue, up to the other: blocks cost Python's time
TAIL = 32_768  # outcomes a block: a row of a party fits the second-level cache
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Block:
    """Outcomes that share their first options. `scores[p]` holds party p's score of each outcome of the tail."""

    head: tuple[int, ...]
    scores: Floats


def _choose_tail(shape: Sequence[int]) -> tuple[int, int]:
    """(first issue of the tail, its outcomes): as many of the last issues as fit a block."""
    split, width = len(shape), 1
    while split > 0 and width * shape[split - 1] <= (WIDE if width < NARROW < TAIL else TAIL):
        split -= 1
        width *= shape[split]
    return split, width


class Grid:
    """The outcomes of a scenario as seen by some of its advocates (`names`, default all).

    `floor[p]`: where party p stands without an agreement: its minimum, or the least its scores can add up to.
    """

    def __init__(self, scenario: Scenario, names: Sequence[str] | None = None) -> None:
        self.scenario = scenario
        chosen = [a for a in scenario.advocates if names is None or a.name in names]
        self.parties = [a for a in chosen if a.has_scores]
        self.lines: tuple[RedLine, ...] = tuple(line for a in chosen for line in a.red_lines)
        self.shape = tuple(len(i.options) for i in scenario.issues)
        self.split, self.width = _choose_tail(self.shape)
        axes = np.indices(self.shape[self.split :], dtype=np.int32).reshape(len(self.shape) - self.split, self.width)
        self._axes = {self.split + n: axis for n, axis in enumerate(axes)}
        self._scores = [
            [np.array(row, dtype=np.float64) for row in self._list_scores(p)] for p in range(len(self.parties))
        ]
        self._tail = np.zeros((len(self.parties), self.width))
        for p, tables in enumerate(self._scores):
            for issue, axis in self._axes.items():
                self._tail[p] += tables[issue][axis]
        self._mixed: list[tuple[int, dict[int, frozenset[int]], Bools | None, float]] = []
        for p, party in enumerate(self.parties):
            for conditional in party.conditionals:
                self._place_conditional(p, conditional)
        self.tail_high = self._tail.max(axis=1) if self.width else np.zeros(len(self.parties))
        self.floor = np.array([p.floor for p in self.parties])
        self._index = {party.name: p for p, party in enumerate(self.parties)}

    def _place_conditional(self, p: int, conditional: Conditional) -> None:
        """A conditional score of the tail alone is added to it now; one that asks the head too waits for each head."""
        head = {i: o for i, o in conditional.when.items() if i < self.split}
        mask = self._build_mask({i: o for i, o in conditional.when.items() if i >= self.split})
        if head:
            self._mixed.append((p, head, mask, conditional.score))
        else:
            self._tail[p] += conditional.score if mask is None else conditional.score * mask

    def _list_scores(self, p: int) -> tuple[tuple[float, ...], ...]:
        return self.parties[p].scores or tuple((0.0,) * n for n in self.shape)

    def _build_mask(self, when: dict[int, frozenset[int]]) -> Bools | None:
        """Which outcomes of the tail match; None: all."""
        mask: Bools | None = None
        for issue, options in when.items():
            part = np.isin(self._axes[issue], np.fromiter(options, dtype=np.int32))
            mask = part if mask is None else np.logical_and(mask, part)
        return mask

    @property
    def size(self) -> int:
        """How many outcomes there are."""
        return self.scenario.size

    def iterate_heads(self) -> Iterator[tuple[int, ...]]:
        """The choices of the first issues, in canonical order."""
        return product(*(range(n) for n in self.shape[: self.split]))

    def compute_head_scores(self, head: tuple[int, ...]) -> Floats:
        """What the head alone gives each party."""
        out = np.zeros(len(self.parties))
        for p, tables in enumerate(self._scores):
            out[p] = sum(tables[i][o] for i, o in enumerate(head))
        return out

    def compute_head_bonus(self, head: tuple[int, ...]) -> Floats:
        """The most that conditional scores over head and tail can add for each party: for bounds."""
        out = np.zeros(len(self.parties))
        for p, when, _, score in self._mixed:
            if score > 0 and all(head[i] in o for i, o in when.items()):
                out[p] += score
        return out

    def build_block(self, head: tuple[int, ...]) -> Block:
        """The scores of the tail's outcomes under this head."""
        scores = self._tail + self.compute_head_scores(head)[:, None]
        for p, when, mask, score in self._mixed:
            if all(head[i] in o for i, o in when.items()):
                scores[p] += score if mask is None else score * mask
        return Block(head, scores)

    def find_crossing(self, line: RedLine, block: Block) -> Bools:
        """Which outcomes of the block cross the line."""
        rule = line.rule
        if isinstance(rule, MinimumScore):
            short: Bools = block.scores[self._index[line.advocate]] < rule.value - EPSILON
            return short
        if isinstance(rule, Forbidden):
            if any(block.head[i] not in o for i, o in rule.combination.items() if i < self.split):
                return np.zeros(self.width, dtype=np.bool_)
            mask = self._build_mask({i: o for i, o in rule.combination.items() if i >= self.split})
            return np.ones(self.width, dtype=np.bool_) if mask is None else mask
        total = self._sum_numbers(rule, block)
        out = np.zeros(self.width, dtype=np.bool_)
        if rule.at_most is not None:
            out |= total > rule.at_most + EPSILON
        if rule.at_least is not None:
            out |= total < rule.at_least - EPSILON
        return out

    def measure_violation(self, line: RedLine, block: Block) -> Floats:
        """By how much each outcome crosses the line, in the line's own unit."""
        rule = line.rule
        if isinstance(rule, MinimumScore):
            short = rule.value - block.scores[self._index[line.advocate]]
        elif isinstance(rule, Forbidden):
            return self.find_crossing(line, block).astype(np.float64)
        else:
            total = self._sum_numbers(rule, block)
            short = np.full(self.width, -np.inf)
            if rule.at_most is not None:
                short = np.maximum(short, total - rule.at_most)
            if rule.at_least is not None:
                short = np.maximum(short, rule.at_least - total)
        return np.where(short > EPSILON, short, 0.0)

    def _sum_numbers(self, rule: Limit, block: Block) -> Floats:
        total = np.zeros(self.width)
        for i in rule.issues:
            numbers = np.array(self.scenario.issues[i].numbers or ())
            total += numbers[block.head[i]] if i < self.split else numbers[self._axes[i]]
        return total

    def find_allowed(self, block: Block) -> Bools:
        """Which outcomes of the block cross none of the chosen advocates' lines."""
        out = np.ones(self.width, dtype=np.bool_)
        for line in self.lines:
            out &= ~self.find_crossing(line, block)
        return out

    def locate_outcome(self, block: Block, position: int) -> Package:
        """The outcome at that place of the block."""
        tail = np.unravel_index(position, self.shape[self.split :]) if self.split < len(self.shape) else ()
        return block.head + tuple(int(v) for v in tail)

    def compute_scores(self, outcome: Package) -> Floats:
        """What one outcome is worth to each party."""
        return np.array([party.score(outcome) for party in self.parties])


_TIE = 1e-12


def enumerate_optima(grid: Grid) -> Optima | None:
    """The optima by looking at every block that may improve one. Ties: the greater sum, then canonical order."""
    n = len(grid.parties)
    minimum = np.array([-np.inf if p.minimum is None else p.minimum - EPSILON for p in grid.parties])
    best: dict[str, tuple[float, float, Package, Floats]] = {}
    for head in grid.iterate_heads():
        high = grid.compute_head_scores(head) + grid.compute_head_bonus(head) + grid.tail_high
        if n and ((high < minimum).any() or not _may_improve(high, high - grid.floor, best)):
            continue
        block = grid.build_block(head)
        allowed = grid.find_allowed(block)
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
            _keep_best(best, name, np.where(allowed, value, -np.inf), total, grid, block.head, block.scores)
    if not best:
        return None
    named_optima = {k: Optimum(float(v), o, tuple(float(x) for x in s)) for k, (v, _, o, s) in best.items()}
    return Optima(named_optima["nash"], named_optima["egalitarian"], named_optima["utilitarian"])


def enumerate_leximin(grid: Grid, scale: Sequence[float] | None) -> Optimum | None:
    """The permitted outcome whose gains (over `scale`), sorted, are the greatest; ties by the sum of scores."""
    unit = np.ones(len(grid.parties)) if scale is None else np.array(scale)
    best: tuple[list[float], float, Package, Floats] | None = None
    for head in grid.iterate_heads():
        high = (grid.compute_head_scores(head) + grid.compute_head_bonus(head) + grid.tail_high - grid.floor) / unit
        if best is not None and len(unit) and high.min() < best[0][0] - EPSILON:
            continue  # the least gain of this whole block is below the least of the best
        block = grid.build_block(head)
        candidates = np.flatnonzero(grid.find_allowed(block))
        if not len(candidates):
            continue
        rows = np.sort((block.scores - grid.floor[:, None]) / unit[:, None], axis=0)
        for row in rows:
            candidates = candidates[row[candidates] >= row[candidates].max() - EPSILON]
        place = int(candidates[block.scores[:, candidates].sum(axis=0).argmax()])
        candidate = ([float(v) for v in rows[:, place]], float(block.scores[:, place].sum()))
        if best is None or _is_better(candidate, best):
            best = (*candidate, grid.locate_outcome(block, place), block.scores[:, place].copy())
    if best is None:
        return None
    return Optimum(best[0][0] if best[0] else 0.0, best[2], tuple(float(s) for s in best[3]))


def _is_better(candidate: tuple[list[float], float], best: tuple[list[float], float, Package, Floats]) -> bool:
    for new, old in zip(candidate[0], best[0], strict=True):
        if abs(new - old) > EPSILON:
            return new > old
    return candidate[1] > best[1] + EPSILON


def enumerate_ideals(grid: Grid) -> list[float] | None:
    """The most that each party gains over the permitted outcomes; None where there are none."""
    most: Floats | None = None
    for head in grid.iterate_heads():
        block = grid.build_block(head)
        allowed = grid.find_allowed(block)
        if allowed.any():
            block_gains = (block.scores[:, allowed] - grid.floor[:, None]).max(axis=1)
            most = block_gains if most is None else np.maximum(most, block_gains)
    return None if most is None else [float(m) for m in most]


def _may_improve(high: Floats, surplus: Floats, best: dict[str, tuple[float, float, Package, Floats]]) -> bool:
    if not best:
        return True
    return bool(
        np.prod(np.maximum(surplus, 0.0)) >= best["nash"][0] * (1 - _TIE)
        or surplus.min() >= best["egalitarian"][0] - _TIE
        or high.sum() >= best["utilitarian"][0] - _TIE
    )


def _keep_best(
    best: dict[str, tuple[float, float, Package, Floats]],
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


def enumerate_dominator(grid: Grid, outcome: Package) -> Package | None:
    """The outcome that makes someone better off and nobody worse, with the greatest sum of scores, or None."""
    if not grid.parties:
        return None
    own = grid.compute_scores(outcome)
    best: tuple[float, Package] | None = None
    for head in grid.iterate_heads():
        if (grid.compute_head_scores(head) + grid.compute_head_bonus(head) + grid.tail_high < own - EPSILON).any():
            continue
        block = grid.build_block(head)
        better = (block.scores >= own[:, None] - EPSILON).all(axis=0) & (block.scores > own[:, None] + EPSILON).any(
            axis=0
        )
        if not better.any():
            continue
        better &= grid.find_allowed(block)
        if better.any():
            total = np.where(better, block.scores.sum(axis=0), -np.inf)
            place = int(total.argmax())
            if best is None or float(total[place]) > best[0] + EPSILON:
                best = (float(total[place]), grid.locate_outcome(block, place))
    return best[1] if best else None


@dataclass(frozen=True, slots=True)
class Crossings:
    """Which sets of red lines outcomes cross, as bits. `relaxation`: the cheapest; None: some outcome crosses none."""

    masks: NDArray[np.int64]
    lines: int
    relaxation: Relaxation | None

    def find_crossed_when_keeping(self, chosen: frozenset[int]) -> frozenset[int] | None:
        """The fewest lines that some outcome crosses which keeps the chosen ones; None: no outcome keeps them."""
        bits = sum(1 << i for i in chosen)
        free = np.flatnonzero((self.masks & bits) == 0)
        if not len(free):
            return None
        fewest = min((int(self.masks[i]) for i in free), key=lambda m: (m.bit_count(), m))
        return frozenset(i for i in range(self.lines) if fewest >> i & 1)


def collect_crossings(scenario: Scenario, names: Sequence[str] | None = None) -> Crossings:
    """Every distinct set of red lines (of `names`, default all) that an outcome crosses."""
    grid = Grid(scenario, names)
    masks, relaxation = _scan_outcomes(grid)
    return Crossings(masks, len(grid.lines), relaxation)


def _scan_outcomes(grid: Grid) -> tuple[NDArray[np.int64], Relaxation | None]:
    """Every distinct set of crossed lines as bits, and the cheapest relaxation (None: some outcome crosses none)."""
    costs = [compute_unit_cost(grid.scenario, line) for line in grid.lines]
    masks: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
    best: tuple[int, float, Package] | None = None
    for head in grid.iterate_heads():
        block = grid.build_block(head)
        bits = np.zeros(grid.width, dtype=np.int64)
        count = np.zeros(grid.width, dtype=np.int64)
        price = np.zeros(grid.width)
        for n, line in enumerate(grid.lines):
            by = grid.measure_violation(line, block)
            crossed = by > 0
            bits |= crossed.astype(np.int64) << n
            count += crossed
            price += by * costs[n]
        if not count.all():
            return np.unique(bits), None
        masks = np.union1d(masks, bits)
        fewest = int(count.min())
        if best is None or fewest <= best[0]:
            value = np.where(count == fewest, price, np.inf)
            place = int(value.argmin())
            if best is None or (fewest, float(value[place])) < (best[0], best[1] - EPSILON):
                best = (fewest, float(value[place]), grid.locate_outcome(block, place))
    assert best is not None, "a scenario has at least one outcome"
    return masks, compute_relaxation(grid.scenario, grid.lines, best[2])


# The Pareto frontier: outcomes that nobody can better without somebody losing. Issue by issue, or block by block.


def find_frontier_by_issue(grid: Grid, at_most: int) -> Frontier:
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
        best_rest = rest[i + 1] if i + 1 < len(rest) else 0.0
        reach = (joined + best_rest >= minimum).all(axis=1)
        joined, chosen = joined[reach], chosen[reach]
        keep = find_efficient_points(joined, at_most * 2)
        if keep is None:
            return Frontier((), False)
        sums, picks = joined[keep], chosen[keep]
    if len(sums) > at_most:
        return Frontier((), False)
    return _build_frontier([tuple(int(v) for v in row) for row in picks], sums)


def find_frontier_by_block(grid: Grid, at_most: int) -> Frontier:
    """Every block's efficient outcomes, merged into those kept so far."""
    frontier_scores = np.zeros((0, len(grid.parties)))
    outcomes: list[Package] = []
    for head in grid.iterate_heads():
        block = grid.build_block(head)
        places = np.flatnonzero(grid.find_allowed(block))
        if not len(places):
            continue
        new = block.scores[:, places].T
        inside = find_efficient_points(new, at_most * 2)
        if inside is None:
            return Frontier((), False)
        places, new = places[inside], new[inside]
        merged = np.vstack([frontier_scores, new])
        labels = outcomes + [grid.locate_outcome(block, int(p)) for p in places]
        keep = find_efficient_points(merged, at_most * 2)
        if keep is None:
            return Frontier((), False)
        frontier_scores, outcomes = merged[keep], [labels[int(k)] for k in keep]
    if len(outcomes) > at_most:
        return Frontier((), False)
    return _build_frontier(outcomes, frontier_scores)


def _build_frontier(outcomes: list[Package], scores: Floats) -> Frontier:
    pairs = sorted(zip(outcomes, (tuple(float(v) for v in row) for row in scores), strict=True))
    return Frontier(tuple(pairs), True)


def find_efficient_points(points: Floats, at_most: int) -> np.ndarray[tuple[int], np.dtype[np.intp]] | None:
    """Indexes of the points that no other point dominates, one of each equal group; None: more than `at_most`.

    By falling sum: a point can be dominated only by one before it.
    """
    if not len(points):
        return np.zeros(0, dtype=np.intp)
    order = np.argsort(-points.sum(axis=1), kind="stable")
    efficient_values = np.empty((min(len(points), at_most + 1), points.shape[1]))
    indexes: list[int] = []
    for start in range(0, len(order), 256):
        chunk = order[start : start + 256]
        values = points[chunk]
        before = len(indexes)
        if before:
            free = ~_find_covered(values, efficient_values[:before])
            chunk, values = chunk[free], values[free]
        for place, value in zip(chunk, values, strict=True):
            count = len(indexes)
            if count > before and (efficient_values[before:count] >= value - EPSILON).all(axis=1).any():
                continue
            efficient_values[count] = value
            indexes.append(int(place))
            if count + 1 > at_most:
                return None
    return np.array(indexes, dtype=np.intp)


def _find_covered(values: Floats, efficient_values: Floats) -> Bools:
    """Which values are at most one of the kept points in every score."""
    out = np.zeros(len(values), dtype=np.bool_)
    for start in range(0, len(efficient_values), 512):
        part = efficient_values[start : start + 512]
        below: Bools = np.all(part[None, :, :] >= values[:, None, :] - EPSILON, axis=2)
        out |= np.any(below, axis=1)
    return out
