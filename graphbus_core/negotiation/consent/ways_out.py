"""Why nothing was agreed, in words, and what could give way: the least that must, and what else would do instead."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from graphbus_core.negotiation.consent.counterfactuals import LARGEST
from graphbus_core.negotiation.consent.optimum.results import (
    Deadlock,
    Relaxation,
    RelaxedLine,
    compute_relaxation,
    format_amount,
)
from graphbus_core.negotiation.consent.optimum.search import find_deadlock
from graphbus_core.negotiation.consent.scenario.model import Limit, MinimumScore, Package, RedLine, Scenario

MOST_WAYS = 3


def explain_deadlock(scenario: Scenario) -> tuple[str, dict[str, Any]]:
    """What stood in the way, in the owners' words, with ways out; where nothing did, a deal that was not found."""
    deadlock = find_deadlock(scenario)
    if deadlock is None:
        return "The red lines can hold together: a deal exists that was not found in these turns. Run it again.", {}
    lines = [f"{line.advocate}: {_quote(line)}" for line in deadlock.conflict]
    ways = list_ways_out(scenario, deadlock)
    told = [f"{n}. {_describe_way(scenario, way)}" for n, way in enumerate(ways, 1)]
    text = "\n".join(
        [
            "Nothing was agreed. These red lines cannot hold together; any fewer of them can:",
            *(f"- {line}" for line in lines),
            "",
            "One way out:" if len(told) == 1 else f"{len(told)} ways out, the least first:",
            *told,
        ]
    )
    data = [
        {
            "gives": [{"advocate": s.line.advocate, "red_line": s.line.text, "by": s.by} for s in way.steps],
            "agreement": scenario.build_terms(way.outcome),
        }
        for way in ways
    ]
    return text, {"conflict": lines, "ways_out": data}


def list_ways_out(scenario: Scenario, deadlock: Deadlock) -> list[Relaxation]:
    """The least relaxation, then the least of those that leave the lines of the ones before as they are.

    As few red lines as possible, then as cheap as possible. Beyond `LARGEST` packages only the first is looked for.
    """
    ways = [deadlock.relaxation]
    lines = [line for advocate in scenario.advocates for line in advocate.red_lines]
    while len(ways) < MOST_WAYS and scenario.size <= LARGEST:
        fixed = [step.line for way in ways for step in way.steps]
        rest = [line for line in lines if not any(line is other for other in fixed)]
        found = (compute_relaxation(scenario, rest, p) for p in _list_keeping(scenario, fixed))
        best = min(found, key=lambda way: (len(way.steps), way.cost, way.outcome), default=None)
        if best is None:
            break
        ways.append(best)
    return ways


def _list_keeping(scenario: Scenario, lines: list[RedLine]) -> Iterator[Package]:
    for package in product(*(range(len(issue.options)) for issue in scenario.issues)):
        if not any(scenario.measure_violation(line, package) > 0 for line in lines):
            yield package


def _describe_way(scenario: Scenario, way: Relaxation) -> str:
    gives = " and ".join(_describe_step(step) for step in way.steps)
    terms = ", ".join(f"{name} {option}" for name, option in scenario.build_terms(way.outcome).items())
    return f"{gives}. Then this is possible: {terms}."


def _describe_step(step: RelaxedLine) -> str:
    who, rule = step.line.advocate, step.line.rule
    if isinstance(rule, MinimumScore):
        return f"{who} accepts {format_amount(step.by)} points less than the {rule.value:g} of its minimum"
    if isinstance(rule, Limit):
        return f"{who} lets {_quote(step.line)} go by {format_amount(step.by)}"
    return f"{who} gives up {_quote(step.line)}"


def _quote(line: RedLine) -> str:
    if isinstance(line.rule, MinimumScore):
        return f"a total of at least {line.rule.value:g}"
    return f"`{' '.join(line.text.split())}`"
