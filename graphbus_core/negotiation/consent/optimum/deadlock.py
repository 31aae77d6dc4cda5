"""Why nothing can be agreed: a smallest set of red lines that cannot hold together, and the cheapest relaxation.

An outcome crosses some set of red lines. A set S of red lines cannot hold together exactly if every outcome crosses one
of S: S is a hitting set of those sets. So the smallest conflict is a minimum hitting set, found by implicit hitting
sets: propose the smallest S that hits all sets seen so far, ask for an outcome that keeps S, learn from it, repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from graphbus_core.negotiation.consent.optimum.enumerated import ENUMERABLE
from graphbus_core.negotiation.consent.optimum.grid import Grid
from graphbus_core.negotiation.consent.scenario.scenario import (
    EPSILON,
    Forbidden,
    Limit,
    MinimumScore,
    Outcome,
    RedLine,
    Scenario,
)

MAX_LINES = 62  # bits of a signed word: with more red lines the solver answers instead of the enumeration
Oracle = Callable[[frozenset[int]], frozenset[int] | None]


@dataclass(frozen=True, slots=True)
class Step:
    """One red line to be relaxed, and by how much in its own unit (1 for dropping a forbidden combination)."""

    line: RedLine
    by: float
    cost: float


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The least that must give way: as few red lines as possible, then as cheap as possible. `outcome` then holds."""

    steps: tuple[Step, ...]
    cost: float
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Deadlock:
    """The proof: red lines that cannot hold together (any fewer of them can), and the cheapest way out."""

    conflict: tuple[RedLine, ...]
    relaxation: Relaxation


def find_deadlock(scenario: Scenario, names: Sequence[str] | None = None) -> Deadlock | None:
    """The proof that the red lines (of `names`, default all) cannot hold together, or None: they can."""
    lines = Grid(scenario, names).lines if scenario.size <= ENUMERABLE else scenario.red_lines(names)
    if not lines:
        return None
    if scenario.size > ENUMERABLE or len(lines) > MAX_LINES:
        from graphbus_core.negotiation.consent.optimum.programmed import Solver

        solver = Solver(scenario, names)
        conflict = smallest_conflict(len(lines), solver.crossed_when_keeping)
        if conflict is None:
            return None
        return Deadlock(tuple(lines[i] for i in sorted(conflict)), solver.cheapest_relaxation())
    grid = Grid(scenario, names)
    masks, relaxation = _scan(grid)
    if relaxation is None:
        return None

    def keeping(chosen: frozenset[int]) -> frozenset[int] | None:
        bits = sum(1 << i for i in chosen)
        free = np.flatnonzero((masks & bits) == 0)
        if not len(free):
            return None
        fewest = min((int(masks[i]) for i in free), key=lambda m: (m.bit_count(), m))
        return frozenset(i for i in range(len(lines)) if fewest >> i & 1)

    conflict = smallest_conflict(len(lines), keeping)
    assert conflict is not None, "no outcome keeps every line, so some set cannot hold"
    return Deadlock(tuple(lines[i] for i in sorted(conflict)), relaxation)


def smallest_conflict(count: int, keeping: Oracle) -> frozenset[int] | None:
    """A smallest set of lines 0..count-1 that cannot hold together, or None where all of them can.

    `keeping(S)`: the lines that some outcome crosses which keeps S, or None where no outcome keeps S.
    """
    crossed = keeping(frozenset(range(count)))
    if crossed is not None:
        return None
    seen: list[frozenset[int]] = []
    while True:
        candidate = smallest_hitting_set(seen)
        crossed = keeping(candidate)
        if crossed is None:
            return candidate
        assert crossed, "with no line crossed, all would hold"
        assert not crossed & candidate, "an outcome that keeps the candidate crosses something else"
        seen.append(crossed)


def smallest_hitting_set(sets: Sequence[frozenset[int]]) -> frozenset[int]:
    """A smallest set that meets each of `sets` (none empty): branch and bound, deterministic."""
    minimal = [s for s in set(sets) if not any(t < s for t in sets)]
    minimal.sort(key=lambda s: (len(s), sorted(s)))
    greedy: set[int] = set()
    left = list(minimal)
    while left:
        counts: dict[int, int] = {}
        for s in left:
            for i in s:
                counts[i] = counts.get(i, 0) + 1
        pick = min(counts, key=lambda i: (-counts[i], i))
        greedy.add(pick)
        left = [s for s in left if pick not in s]
    best = frozenset(greedy)

    def search(chosen: frozenset[int], left: list[frozenset[int]]) -> None:
        nonlocal best
        if not left:
            if len(chosen) < len(best):
                best = chosen
            return
        apart, used = 0, set[int]()
        for s in left:  # disjoint sets need an element each: a lower bound
            if not s & used:
                apart += 1
                used |= s
        if len(chosen) + apart >= len(best):
            return
        branch = min(left, key=lambda s: (len(s), sorted(s)))
        banned: set[int] = set()
        for i in sorted(branch):
            rest = [s - banned for s in left if i not in s]
            if all(rest):
                search(chosen | {i}, rest)
            banned.add(i)

    search(frozenset(), minimal)
    return best


def unit_cost(scenario: Scenario, line: RedLine) -> float:
    """What one unit of relaxing the line costs: as declared, else one over the whole range of its number."""
    if line.cost is not None:
        return line.cost
    rule = line.rule
    if isinstance(rule, Forbidden):
        return 1.0
    if isinstance(rule, MinimumScore):
        party = scenario.advocate(line.advocate)
        table = party.scores or ()
        span = sum(max(row) - min(row) for row in table) + sum(abs(c.score) for c in party.conditionals)
    else:
        span = sum(_span(scenario, i) for i in rule.issues) if isinstance(rule, Limit) else 0.0
    return 1.0 / span if span > EPSILON else 1.0


def _span(scenario: Scenario, issue: int) -> float:
    numbers = scenario.issues[issue].numbers or (0.0,)
    return max(numbers) - min(numbers)


def _scan(grid: Grid) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], Relaxation | None]:
    """Every distinct set of crossed lines as bits, and the cheapest relaxation (None: some outcome crosses none)."""
    costs = [unit_cost(grid.scenario, line) for line in grid.lines]
    found: np.ndarray[tuple[int], np.dtype[np.int64]] = np.zeros(0, dtype=np.int64)
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


def relaxation_at(scenario: Scenario, lines: Sequence[RedLine], outcome: Outcome) -> Relaxation:
    """What must be relaxed for this outcome to stand."""
    steps = []
    for line in lines:
        by = scenario.violation(line, outcome)
        if by > 0:
            steps.append(Step(line, by, by * unit_cost(scenario, line)))
    return Relaxation(tuple(steps), sum(s.cost for s in steps), outcome)
