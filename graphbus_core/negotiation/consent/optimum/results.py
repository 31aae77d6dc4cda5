"""What an exact search finds, and its arithmetic: optima, a frontier, a relaxation, a deadlock. Plain data.

Everything else in this room looks down on this file. It knows no search, no library and no choice between searches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from graphbus_core.negotiation.consent.scenario.model import (
    EPSILON,
    Forbidden,
    Limit,
    MinimumScore,
    Package,
    RedLine,
    Scenario,
)


@dataclass(frozen=True, slots=True)
class Optimum:
    """A best outcome with the value it reaches: product of surpluses, least surplus, or sum of scores.

    `bound`: no outcome reaches more than this. None: nothing reaches more than `value` (the search came to its end).
    """

    value: float
    outcome: Package
    scores: tuple[float, ...]
    bound: float | None = None

    @property
    def gap(self) -> float:
        """How much more there could be, as a share of the bound; 0 where the optimum is proved."""
        if self.bound is None or self.bound <= self.value:
            return 0.0
        return (self.bound - self.value) / max(abs(self.bound), EPSILON)


@dataclass(frozen=True, slots=True)
class Optima:
    """The three optima over the outcomes that cross no red line of the chosen advocates."""

    nash: Optimum
    egalitarian: Optimum
    utilitarian: Optimum


@dataclass(frozen=True, slots=True)
class Efficiency:
    """What is known of an outcome: one that is `better` for someone and worse for nobody, or that there is none.

    `settled`: the search came to its end. Without it a missing `better` says nothing.
    """

    better: Package | None
    settled: bool

    @property
    def efficient(self) -> bool | None:
        """Whether nobody can gain without another losing; None where that is not known."""
        if self.better is not None:
            return False
        return True if self.settled else None


@dataclass(frozen=True, slots=True)
class Frontier:
    """Pareto-efficient outcomes. `complete`: whether all of them are here."""

    points: tuple[tuple[Package, tuple[float, ...]], ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class RelaxedLine:
    """One red line to be relaxed, and by how much in its own unit (1 for dropping a forbidden combination)."""

    line: RedLine
    by: float
    cost: float


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The least that must give way: as few red lines as possible, then as cheap as possible. `outcome` then holds."""

    steps: tuple[RelaxedLine, ...]
    cost: float
    outcome: Package


@dataclass(frozen=True, slots=True)
class Deadlock:
    """The proof: red lines that cannot hold together (any fewer of them can), and the cheapest way out."""

    conflict: tuple[RedLine, ...]
    relaxation: Relaxation


def nash_product(gains: Sequence[float]) -> float:
    """The Nash product: what everybody gains, multiplied; 0 where somebody gains nothing."""
    return math.prod(g if g > EPSILON else 0.0 for g in gains)


def compute_unit_cost(scenario: Scenario, line: RedLine) -> float:
    """What one unit of relaxing the line costs: as declared, else one over the whole range of its number."""
    if line.cost is not None:
        return line.cost
    rule = line.rule
    if isinstance(rule, Forbidden):
        return 1.0
    if isinstance(rule, MinimumScore):
        party = scenario.find_advocate(line.advocate)
        span = party.ceiling - party.least
    else:
        span = sum(_compute_span(scenario, i) for i in rule.issues) if isinstance(rule, Limit) else 0.0
    return 1.0 / span if span > EPSILON else 1.0


def _compute_span(scenario: Scenario, issue: int) -> float:
    numbers = scenario.issues[issue].numbers or (0.0,)
    return max(numbers) - min(numbers)


def format_amount(by: float) -> str:
    """By how much a red line must give way, for people: never less than what suffices."""
    # To the nearest would say 5.09 of 5.095, and whoever gives 5.09 has no deal. What lies within EPSILON is rounding.
    digits = max(2, 3 - math.floor(math.log10(by))) if by > 0 else 2
    up = Decimal(by - EPSILON / 2).quantize(Decimal(1).scaleb(-digits), ROUND_CEILING)
    return f"{max(up, Decimal(0)).normalize():f}"


def list_bounded_seats(scenario: Scenario, deadlock: bool) -> list[str]:
    """Whose least total (of a deadlock: whose range) counts and is a bound, because nobody can try all packages."""
    return [
        a.name
        for a in scenario.scored_advocates
        if not a.score_range.exact
        and (
            any(isinstance(line.rule, MinimumScore) and line.cost is None for line in a.red_lines)
            if deadlock
            else a.minimum is None
        )
    ]


def compute_relaxation(scenario: Scenario, lines: Sequence[RedLine], outcome: Package) -> Relaxation:
    """What must be relaxed for this outcome to stand."""
    steps = []
    for line in lines:
        by = scenario.measure_violation(line, outcome)
        if by > 0:
            steps.append(RelaxedLine(line, by, by * compute_unit_cost(scenario, line)))
    return Relaxation(tuple(steps), sum(s.cost for s in steps), outcome)
