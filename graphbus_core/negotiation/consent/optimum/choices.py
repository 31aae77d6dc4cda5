"""Which of the efficient packages is the best: by the product of gains, by the least gain, or by the least share.

Nash multiplies what each gains. Leximin raises the least gain first, then the second least, and so on (Rawls, Sen).
Kalai-Smorodinsky does the same with shares: what each gains of the most it could have where all others still gain.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphbus_core.negotiation.consent.optimum.best import enumerable, optima
from graphbus_core.negotiation.consent.optimum.found import Optimum
from graphbus_core.negotiation.consent.scenario.scenario import EPSILON, BargainingRule, Outcome, Scenario

SAID = {
    BargainingRule.NASH: "The greatest product of what each gains over its minimum",
    BargainingRule.LEXIMIN: "The least gain over a minimum is as great as it can be, then the second least, and so on",
    BargainingRule.KALAI_SMORODINSKY: (
        "The least share of what each could gain at most is as great as it can be, and so on"
    ),
}


def chosen(scenario: Scenario, names: Sequence[str] | None = None) -> Optimum | None:
    """The best package by the scenario's rule, or None where no package keeps every red line (of `names`)."""
    if scenario.choose is BargainingRule.NASH:
        found = optima(scenario, names)
        return None if found is None else found.nash
    scale = _ideals(scenario, names) if scenario.choose is BargainingRule.KALAI_SMORODINSKY else None
    if enumerable(scenario):
        from graphbus_core.negotiation.consent.optimum.enumerated import enumerate_leximin
        from graphbus_core.negotiation.consent.optimum.grid import Grid

        return enumerate_leximin(Grid(scenario, names), scale)
    from graphbus_core.negotiation.consent.optimum.programmed import Program

    return Program(scenario, names).fairest(scale)


def ranked(scenario: Scenario, outcome: Outcome, names: Sequence[str] | None = None) -> list[float]:
    """What the scenario's rule compares of an outcome: gains, or shares, the least first."""
    seats = [a for a in scenario.scored if names is None or a.name in names]
    gains = [a.score(outcome) - a.floor for a in seats]
    if scenario.choose is BargainingRule.KALAI_SMORODINSKY:
        gains = [g / s for g, s in zip(gains, _ideals(scenario, names) or gains, strict=True)]
    return sorted(gains)


def _ideals(scenario: Scenario, names: Sequence[str] | None) -> list[float] | None:
    """The most that each party could gain over the packages that keep every red line; 1 where that is nothing."""
    if enumerable(scenario):
        from graphbus_core.negotiation.consent.optimum.enumerated import enumerate_ideals
        from graphbus_core.negotiation.consent.optimum.grid import Grid

        most = enumerate_ideals(Grid(scenario, names))
    else:
        from graphbus_core.negotiation.consent.optimum.programmed import Program

        most = Program(scenario, names).ideals()
    return None if most is None else [m if m > EPSILON else 1.0 for m in most]
