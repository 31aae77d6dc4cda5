"""A scenario's parts as plain data for questions: the issues for everyone, preferences for their owner alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.negotiation.consent.scenario.scenario import Forbidden, Limit, Scenario


def issues_of(scenario: Scenario) -> dict[str, Any]:
    """The issues as plain data."""
    return {
        i.name: {"title": i.title, "options": list(i.options), "meanings": dict(i.meanings)} for i in scenario.issues
    }


def preferences_of(scenario: Scenario, name: str) -> dict[str, Any]:
    """One advocate's own preferences as plain data: for nobody but itself."""
    seat = scenario.advocate(name)
    forbidden: list[dict[str, list[str]]] = []
    limits: list[dict[str, Any]] = []
    # A minimum is a number of its own here, so it is not told again among the forbidden and the limits.
    for line in seat.red_lines:
        if isinstance(line.rule, Forbidden):
            forbidden.append(_named(scenario, line.rule.combination))
        elif isinstance(line.rule, Limit):
            numbers = {scenario.issues[i].name: list(scenario.issues[i].numbers or ()) for i in line.rule.issues}
            limits.append({"numbers": numbers, "at_least": line.rule.at_least, "at_most": line.rule.at_most})
    scores: dict[str, dict[str, float]] | None = None
    if seat.scores is not None:
        rows = zip(scenario.issues, seat.scores, strict=True)
        scores = {issue.name: dict(zip(issue.options, row, strict=True)) for issue, row in rows}
    return {
        "scores": scores,
        "conditional_scores": [{"when": _named(scenario, c.when), "score": c.score} for c in seat.conditionals],
        "minimum": seat.minimum,
        "red_lines": [line.text for line in seat.red_lines],
        "forbidden": forbidden,
        "limits": limits,
        "veto": seat.veto,
    }


def _named(scenario: Scenario, when: Mapping[int, frozenset[int]]) -> dict[str, list[str]]:
    issues = scenario.issues
    return {issues[i].name: [issues[i].options[o] for o in sorted(options)] for i, options in when.items()}
