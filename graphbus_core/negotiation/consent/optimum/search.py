"""The best that exists: by enumeration where outcomes can be counted, by a solver where they cannot. Chosen here alone.

Both searches need a library of the extra `consent-exact` (numpy; highspy for the solver). It is imported where it is
used, and a sentence says so where it is missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphbus_core.errors import UsageError
from graphbus_core.module_origin import is_installed
from graphbus_core.negotiation.consent.optimum.results import Deadlock, Efficiency, Frontier, Optima, Optimum
from graphbus_core.negotiation.consent.scenario.model import EPSILON, BargainingRule, Package, Scenario

ENUMERABLE = 30_000_000  # outcomes; beyond this the solver is faster and never worse
FRONTIER_MAX = 3_000
MAX_LINES = 62  # bits of a signed word: with more red lines the solver answers instead of the enumeration
EXTRA = "pip install 'graphbus-core[consent-exact]'"


def require_libraries(*modules: str) -> None:
    """Raise UsageError, in a sentence that says what to install, where one of these libraries is missing."""
    missing = [m for m in modules if not is_installed(m)]
    if missing:
        raise UsageError(
            f"Weighing options exactly needs {' and '.join(missing)}, which is not installed. Install it with: {EXTRA}"
        )


def is_enumerable(scenario: Scenario) -> bool:
    """Whether all outcomes can be looked at. Raises UsageError where the library that is needed is missing."""
    small = scenario.size <= ENUMERABLE
    require_libraries(*(("numpy",) if small else ("numpy", "highspy")))
    return small


def find_optima(scenario: Scenario, names: Sequence[str] | None = None) -> Optima | None:
    """The optima, or None where no outcome keeps every red line (of the advocates `names`, default all).

    Exact, unless the solver ran out of time: then each is the best deal known, with the bound that is proved.
    """
    if is_enumerable(scenario):
        from graphbus_core.negotiation.consent.optimum.exhaustive import Grid, enumerate_optima

        return enumerate_optima(Grid(scenario, names))
    from graphbus_core.negotiation.consent.optimum.mip import IntegerProgram

    return IntegerProgram(scenario, names).find_optima()


def find_dominator(scenario: Scenario, outcome: Package) -> Package | None:
    """The outcome that makes someone better off and nobody worse, crossing no red line, or None: none is known.

    Of several, the one with the greatest sum of scores. Whether None is a proof, `check_efficiency` tells.
    """
    return check_efficiency(scenario, outcome).better


def check_efficiency(scenario: Scenario, outcome: Package, names: Sequence[str] | None = None) -> Efficiency:
    """Whether nobody can gain without another losing, or the outcome that shows the opposite; else that it is open."""
    if is_enumerable(scenario):
        from graphbus_core.negotiation.consent.optimum.exhaustive import Grid, enumerate_dominator

        return Efficiency(enumerate_dominator(Grid(scenario, names), outcome), True)
    from graphbus_core.negotiation.consent.optimum.mip import IntegerProgram

    return IntegerProgram(scenario, names).check_efficiency(outcome)


def find_frontier(scenario: Scenario, at_most: int = FRONTIER_MAX) -> Frontier:
    """The Pareto frontier over the outcomes that cross no red line, as far as `at_most` points.

    Where nothing but minimums binds, partial sums that are dominated are dropped issue by issue; else block by block.
    """
    require_libraries("numpy")
    from graphbus_core.negotiation.consent.optimum.exhaustive import (
        Grid,
        find_frontier_by_block,
        find_frontier_by_issue,
    )

    grid = Grid(scenario)
    if not grid.parties:
        return Frontier((), True)
    if is_separable(scenario):
        return find_frontier_by_issue(grid, at_most)
    if scenario.size > ENUMERABLE:
        return Frontier((), False)
    return find_frontier_by_block(grid, at_most)


def is_separable(scenario: Scenario, names: Sequence[str] | None = None) -> bool:
    """Whether nothing but minimum scores binds and every score is a plain sum: partial sums then tell all."""
    from graphbus_core.negotiation.consent.scenario.model import MinimumScore

    chosen = [a for a in scenario.advocates if names is None or a.name in names]
    plain = all(isinstance(line.rule, MinimumScore) for a in chosen for line in a.red_lines)
    return plain and not any(a.conditionals for a in chosen)


def find_deadlock(scenario: Scenario, names: Sequence[str] | None = None) -> Deadlock | None:
    """The proof that the red lines (of `names`, default all) cannot hold together, or None: they can."""
    from graphbus_core.negotiation.consent.optimum.deadlock import find_smallest_conflict

    lines = scenario.list_red_lines(names)
    if not lines:
        return None
    if is_enumerable(scenario) and len(lines) <= MAX_LINES:
        from graphbus_core.negotiation.consent.optimum.exhaustive import collect_crossings

        observed = collect_crossings(scenario, names)
        conflict = (
            None
            if observed.relaxation is None
            else find_smallest_conflict(len(lines), observed.find_crossed_when_keeping)
        )
        relaxation = observed.relaxation
    else:
        require_libraries("numpy", "highspy")
        from graphbus_core.negotiation.consent.optimum.mip import IntegerProgram

        solver = IntegerProgram(scenario, names)
        conflict = find_smallest_conflict(len(lines), solver.find_crossed_when_keeping)
        relaxation = solver.find_cheapest_relaxation() if conflict is not None else None
    if conflict is None or relaxation is None:
        return None
    return Deadlock(tuple(lines[i] for i in sorted(conflict)), relaxation)


# Which of the efficient packages is the best: by the product of gains, by the least gain, or by the least share.
#
# Nash multiplies what each gains. Leximin raises the least gain first, then the second least, and so on (Rawls, Sen).
# Kalai-Smorodinsky does the same with shares: what each gains of the most it could have where all others still gain.


RULE_DESCRIPTIONS = {
    BargainingRule.NASH: "The greatest product of what each gains over its minimum",
    BargainingRule.LEXIMIN: "The least gain over a minimum is as great as it can be, then the second least, and so on",
    BargainingRule.KALAI_SMORODINSKY: (
        "The least share of what each could gain at most is as great as it can be, and so on"
    ),
}


def choose_package(scenario: Scenario, names: Sequence[str] | None = None) -> Optimum | None:
    """The best package by the scenario's rule, or None where no package keeps every red line (of `names`)."""
    if scenario.choose is BargainingRule.NASH:
        all_optima = find_optima(scenario, names)
        return None if all_optima is None else all_optima.nash
    scale = _find_ideals(scenario, names) if scenario.choose is BargainingRule.KALAI_SMORODINSKY else None
    if is_enumerable(scenario):
        from graphbus_core.negotiation.consent.optimum.exhaustive import Grid, enumerate_leximin

        return enumerate_leximin(Grid(scenario, names), scale)
    from graphbus_core.negotiation.consent.optimum.mip import IntegerProgram

    return IntegerProgram(scenario, names).find_fairest(scale)


def rank_gains(scenario: Scenario, outcome: Package, names: Sequence[str] | None = None) -> list[float]:
    """What the scenario's rule compares of an outcome: gains, or shares, the least first."""
    seats = [a for a in scenario.scored_advocates if names is None or a.name in names]
    gains = [a.score(outcome) - a.floor for a in seats]
    if scenario.choose is BargainingRule.KALAI_SMORODINSKY:
        gains = [g / s for g, s in zip(gains, _find_ideals(scenario, names) or gains, strict=True)]
    return sorted(gains)


def _find_ideals(scenario: Scenario, names: Sequence[str] | None) -> list[float] | None:
    """The most that each party could gain over the packages that keep every red line; 1 where that is nothing."""
    if is_enumerable(scenario):
        from graphbus_core.negotiation.consent.optimum.exhaustive import Grid, enumerate_ideals

        most = enumerate_ideals(Grid(scenario, names))
    else:
        from graphbus_core.negotiation.consent.optimum.mip import IntegerProgram

        most = IntegerProgram(scenario, names).find_ideals()
    return None if most is None else [m if m > EPSILON else 1.0 for m in most]
