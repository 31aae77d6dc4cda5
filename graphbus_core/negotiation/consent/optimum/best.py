"""The best that exists: by enumeration where outcomes can be counted, by a solver where they cannot. Chosen here alone.

Both searches need a library of the extra `consent-exact` (numpy; highspy for the solver). It is imported where it is
used, and a sentence says so where it is missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphbus_core.errors import UsageError
from graphbus_core.negotiation.consent.optimum.found import Deadlock, Efficiency, Frontier, Optima
from graphbus_core.negotiation.consent.scenario.scenario import Outcome, Scenario
from graphbus_core.origin import is_installed

ENUMERABLE = 30_000_000  # outcomes; beyond this the solver is faster and never worse
FRONTIER_MAX = 3_000
MAX_LINES = 62  # bits of a signed word: with more red lines the solver answers instead of the enumeration
EXTRA = "pip install 'graphbus-core[consent-exact]'"


def need(*modules: str) -> None:
    """Raise UsageError, in a sentence that says what to install, where one of these libraries is missing."""
    missing = [m for m in modules if not is_installed(m)]
    if missing:
        raise UsageError(
            f"Weighing options exactly needs {' and '.join(missing)}, which is not installed. Install it with: {EXTRA}"
        )


def enumerable(scenario: Scenario) -> bool:
    """Whether all outcomes can be looked at. Raises UsageError where the library that is needed is missing."""
    small = scenario.size <= ENUMERABLE
    need(*(("numpy",) if small else ("numpy", "highspy")))
    return small


def optima(scenario: Scenario, names: Sequence[str] | None = None) -> Optima | None:
    """The optima, or None where no outcome keeps every red line (of the advocates `names`, default all).

    Exact, unless the solver ran out of time: then each is the best deal known, with the bound that is proved.
    """
    if enumerable(scenario):
        from graphbus_core.negotiation.consent.optimum.enumerated import enumerate_optima
        from graphbus_core.negotiation.consent.optimum.grid import Grid

        return enumerate_optima(Grid(scenario, names))
    from graphbus_core.negotiation.consent.optimum.programmed import Program

    return Program(scenario, names).optima()


def dominator(scenario: Scenario, outcome: Outcome) -> Outcome | None:
    """The outcome that makes someone better off and nobody worse, crossing no red line, or None: none is known.

    Of several, the one with the greatest sum of scores. Whether None is a proof, `efficiency` tells.
    """
    return efficiency(scenario, outcome).better


def efficiency(scenario: Scenario, outcome: Outcome, names: Sequence[str] | None = None) -> Efficiency:
    """Whether nobody can gain without another losing, or the outcome that shows the opposite; else that it is open."""
    if enumerable(scenario):
        from graphbus_core.negotiation.consent.optimum.enumerated import enumerate_dominator
        from graphbus_core.negotiation.consent.optimum.grid import Grid

        return Efficiency(enumerate_dominator(Grid(scenario, names), outcome), True)
    from graphbus_core.negotiation.consent.optimum.programmed import Program

    return Program(scenario, names).efficiency(outcome)


def frontier(scenario: Scenario, at_most: int = FRONTIER_MAX) -> Frontier:
    """The Pareto frontier over the outcomes that cross no red line, as far as `at_most` points.

    Where nothing but minimums binds, partial sums that are dominated are dropped issue by issue; else block by block.
    """
    need("numpy")
    from graphbus_core.negotiation.consent.optimum.frontiers import frontier_by_block, frontier_by_issue
    from graphbus_core.negotiation.consent.optimum.grid import Grid

    grid = Grid(scenario)
    if not grid.parties:
        return Frontier((), True)
    if is_separable(scenario):
        return frontier_by_issue(grid, at_most)
    if scenario.size > ENUMERABLE:
        return Frontier((), False)
    return frontier_by_block(grid, at_most)


def is_separable(scenario: Scenario, names: Sequence[str] | None = None) -> bool:
    """Whether nothing but minimum scores binds and every score is a plain sum: partial sums then tell all."""
    from graphbus_core.negotiation.consent.scenario.scenario import MinimumScore

    chosen = [a for a in scenario.advocates if names is None or a.name in names]
    plain = all(isinstance(line.rule, MinimumScore) for a in chosen for line in a.red_lines)
    return plain and not any(a.conditionals for a in chosen)


def find_deadlock(scenario: Scenario, names: Sequence[str] | None = None) -> Deadlock | None:
    """The proof that the red lines (of `names`, default all) cannot hold together, or None: they can."""
    from graphbus_core.negotiation.consent.optimum.deadlock import smallest_conflict

    lines = scenario.red_lines(names)
    if not lines:
        return None
    if enumerable(scenario) and len(lines) <= MAX_LINES:
        from graphbus_core.negotiation.consent.optimum.enumerated import crossings

        seen = crossings(scenario, names)
        conflict = None if seen.relaxation is None else smallest_conflict(len(lines), seen.crossed_when_keeping)
        relaxation = seen.relaxation
    else:
        need("numpy", "highspy")
        from graphbus_core.negotiation.consent.optimum.programmed import Program

        solver = Program(scenario, names)
        conflict = smallest_conflict(len(lines), solver.crossed_when_keeping)
        relaxation = solver.cheapest_relaxation() if conflict is not None else None
    if conflict is None or relaxation is None:
        return None
    return Deadlock(tuple(lines[i] for i in sorted(conflict)), relaxation)
