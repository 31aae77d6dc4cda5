"""What every agreement and every deadlock is handed out with, and how both are computed again (design §8).

A certificate says how good the agreement is: efficient, or the better deal that exists; its Nash, egalitarian and
welfare ratios. A proof says why there is none: red lines that cannot hold together, and the cheapest way out. Both
are plain data and a pure function of the scenario and the agreement, so `verify` computes them again and compares.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.negotiation.consent.deadlock import Deadlock, find_deadlock
from graphbus_core.negotiation.consent.optima import dominator, optima
from graphbus_core.negotiation.consent.plain import issues_of, preferences_of
from graphbus_core.negotiation.consent.scenario import (
    EPSILON,
    Advocate,
    Forbidden,
    Limit,
    MinimumScore,
    Outcome,
    RedLine,
    Scenario,
)
from graphbus_core.negotiation.consent.settlement import best_group, groups

DIGITS = 9  # decimals that are written and compared


def digest(scenario: Scenario) -> str:
    """What the scenario is, whoever's turn comes first: issues, preferences, red lines, quorum."""
    plain = {
        "issues": issues_of(scenario),
        "advocates": {a.name: preferences_of(scenario, a.name) for a in scenario.advocates},
        "costs": {a.name: [line.cost for line in a.red_lines] for a in scenario.advocates},
        "quorum": scenario.quorum,
    }
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def checkable(scenario: Scenario) -> bool:
    """Whether there is anything to compute: issues, and scores or red lines."""
    return bool(scenario.issues) and any(a.scored or a.red_lines for a in scenario.advocates)


def scores(scenario: Scenario, outcome: Outcome) -> dict[str, float]:
    """What the outcome is worth to each advocate that gave scores."""
    return {a.name: _round(a.score(outcome)) for a in scenario.scored}


def minimums(scenario: Scenario) -> dict[str, float]:
    """What each advocate that gave scores needs at least: its minimum, or the least its scores can add up to."""
    return {a.name: _round(floor(a)) for a in scenario.scored}


def floor(seat: Advocate) -> float:
    """Where an advocate stands without an agreement."""
    if seat.minimum is not None:
        return seat.minimum
    return sum(min(row) for row in seat.scores or ()) + sum(min(0.0, c.score) for c in seat.conditionals)


def certificate(scenario: Scenario, outcome: Outcome, consented: Sequence[str] | None = None) -> dict[str, Any]:
    """The certificate of an agreement, over the advocates that consented (default all)."""
    names = tuple(n for n in scenario.names if consented is None or n in consented)
    crossed = [{"advocate": n, "red_line": line.text} for n in sorted(names) for line in scenario.crossed(n, outcome)]
    better = dominator(scenario, outcome, names)
    best = optima(scenario, names)
    gains = [a.score(outcome) - floor(a) for a in scenario.scored if a.name in names]
    total = sum(a.score(outcome) for a in scenario.scored if a.name in names)
    nash = math.prod(max(0.0, g) for g in gains)
    least = min(gains, default=0.0)
    found: dict[str, Any] = {
        "kind": "certificate",
        "scenario": digest(scenario),
        "agreement": scenario.terms(outcome),
        "advocates": sorted(names),
        "scores": scores(scenario, outcome),
        "minimums": minimums(scenario),
        "red_lines_crossed": crossed,
        "pareto_efficient": better is None,
        "better": None if better is None else {"agreement": scenario.terms(better), "scores": scores(scenario, better)},
    }
    for name, value in (("nash", nash), ("egalitarian", least), ("utilitarian", total)):
        top = getattr(best, name) if best is not None else None
        found[name] = {
            "value": _round(value),
            "best": None if top is None else _round(top.value),
            "ratio": None if top is None else _ratio(value, top.value),
            "best_agreement": None if top is None else scenario.terms(top.outcome),
        }
    return found


def proof(scenario: Scenario) -> dict[str, Any] | None:
    """Why nothing could be agreed, or that something could; None where there is nothing to compute."""
    if not checkable(scenario):
        return None
    base: dict[str, Any] = {"scenario": digest(scenario)}
    group, best = best_group(scenario)
    if best is not None:
        return {
            "kind": "possible",
            **base,
            "text": "The red lines can hold together: an agreement exists that was not found.",
            "advocates": sorted(group),
            "agreement": scenario.terms(best.outcome),
        }
    found = find_deadlock(scenario)
    assert found is not None, "no outcome is possible, so the red lines conflict"
    out = {"kind": "deadlock", **base, **_deadlock(scenario, found)}
    if scenario.needed < len(scenario.advocates):
        out["groups"] = [
            {"advocates": sorted(g), **_deadlock(scenario, each)}
            for g in groups(scenario, scenario.needed)
            if (each := find_deadlock(scenario, g)) is not None
        ]
    return out


def _deadlock(scenario: Scenario, found: Deadlock) -> dict[str, Any]:
    return {
        "conflict": sorted((_line(scenario, line) for line in found.conflict), key=_order),
        "relaxation": {
            "steps": sorted(
                (
                    {**_line(scenario, s.line), "by": _round(s.by), "cost": _round(s.cost)}
                    for s in found.relaxation.steps
                ),
                key=_order,
            ),
            "cost": _round(found.relaxation.cost),
            "agreement": scenario.terms(found.relaxation.outcome),
        },
    }


def _order(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry, sort_keys=True)


def _line(scenario: Scenario, line: RedLine) -> dict[str, Any]:
    rule: dict[str, Any]
    issues = scenario.issues
    if isinstance(line.rule, Forbidden):
        named = line.rule.combination.items()
        rule = {"forbid": {issues[i].name: [issues[i].options[o] for o in sorted(c)] for i, c in named}}
    elif isinstance(line.rule, Limit):
        rule = {
            "limit": [issues[i].name for i in line.rule.issues],
            "at_least": line.rule.at_least,
            "at_most": line.rule.at_most,
        }
    else:
        assert isinstance(line.rule, MinimumScore), "there are three kinds of red lines"
        rule = {"minimum": line.rule.value}
    return {"advocate": line.advocate, "red_line": line.text, "rule": rule}


def verify(scenario: Scenario, claimed: Mapping[str, Any]) -> list[str]:
    """What of a certificate or a proof does not hold, one sentence each; empty: all of it does.

    A conflict or a relaxation need not be the one that we would find: it is checked for what it claims.
    """
    wrong: list[str] = []
    if claimed.get("scenario") != digest(scenario):
        wrong.append("it was made for another scenario than this one")
    kind = claimed.get("kind")
    if kind == "certificate":
        try:
            outcome = scenario.outcome(claimed["agreement"])
        except (KeyError, ValueError, AttributeError, TypeError) as e:
            return [*wrong, f"the agreement is none in this scenario: {e}"]
        strangers = set(claimed.get("advocates", ())) - set(scenario.names)
        if strangers:
            return [*wrong, f"there is no advocate {min(strangers)!r}"]
        fresh = certificate(scenario, outcome, claimed.get("advocates"))
        held = set(fresh["advocates"])
        if len(held) < scenario.needed or any(a.veto and a.name not in held for a in scenario.advocates):
            wrong.append("too few advocates stand behind it")
        if fresh["red_lines_crossed"]:
            wrong.append(f"it crosses a red line of {fresh['red_lines_crossed'][0]['advocate']}")
        return wrong + _differences(fresh, claimed, ("better", "best_agreement"))
    if kind == "possible":
        fresh_proof = proof(scenario) or {}
        return wrong if fresh_proof.get("kind") == "possible" else [*wrong, "nothing can be agreed in this scenario"]
    if kind == "deadlock":
        return wrong + _verify_deadlock(scenario, claimed)
    return [*wrong, f"{kind!r} is neither a certificate nor a proof"]


def _verify_deadlock(scenario: Scenario, claimed: Mapping[str, Any]) -> list[str]:
    fresh = proof(scenario)
    if fresh is None or fresh["kind"] != "deadlock":
        return ["the red lines of this scenario can hold together"]
    wrong = []
    known = {_order(_line(scenario, line)): line for line in scenario.red_lines()}
    lines = [known.get(_order(entry)) for entry in claimed.get("conflict", ())]
    if not lines or None in lines:
        return ["the conflict names a red line that this scenario does not have"]
    chosen = [line for line in lines if line is not None]
    if len(chosen) != len(fresh["conflict"]):
        wrong.append(f"a smallest conflict has {len(fresh['conflict'])} red lines, not {len(chosen)}")
    if can_hold(scenario, chosen):
        wrong.append("the red lines of the conflict can hold together")
    for n, line in enumerate(chosen):
        if not can_hold(scenario, chosen[:n] + chosen[n + 1 :]):
            wrong.append(f"the conflict is one even without {line.advocate}: {line.text}")
    relaxation = claimed.get("relaxation", {})
    if abs(relaxation.get("cost", -1) - fresh["relaxation"]["cost"]) > 10**-6:
        wrong.append(f"the cheapest relaxation costs {fresh['relaxation']['cost']:g}")
    try:
        outcome = scenario.outcome(relaxation["agreement"])
    except (KeyError, ValueError, AttributeError, TypeError):
        return [*wrong, "the relaxation makes no agreement of this scenario possible"]
    steps = {_order({k: s[k] for k in ("advocate", "red_line", "rule")}) for s in relaxation.get("steps", ())}
    for line in scenario.red_lines():
        if scenario.violation(line, outcome) > 0 and _order(_line(scenario, line)) not in steps:
            wrong.append(f"the relaxation does not mention {line.advocate}: {line.text}")
    return wrong


def can_hold(scenario: Scenario, lines: Sequence[RedLine]) -> bool:
    """Whether some outcome crosses none of these red lines."""
    from dataclasses import replace

    kept = [id(line) for line in lines]
    seats = tuple(replace(a, red_lines=tuple(x for x in a.red_lines if id(x) in kept)) for a in scenario.advocates)
    return find_deadlock(replace(scenario, advocates=seats)) is None


def _differences(fresh: Any, claimed: Any, skip: Sequence[str], path: str = "") -> list[str]:
    if isinstance(fresh, Mapping):
        if not isinstance(claimed, Mapping):
            return [f"{path or 'it'} should be {fresh}"]
        out = []
        for key, value in fresh.items():
            if key == "scenario" or (key in skip and (value is None) == (claimed.get(key) is None)):
                continue
            out += _differences(value, claimed.get(key), skip, f"{path}.{key}" if path else key)
        return out
    if isinstance(fresh, float | int) and not isinstance(fresh, bool):
        close = isinstance(claimed, float | int) and math.isclose(fresh, claimed, rel_tol=1e-6, abs_tol=1e-6)
        return [] if close else [f"{path} is {fresh:g}, not {claimed}"]
    return [] if fresh == claimed else [f"{path} is {fresh}, not {claimed}"]


def _ratio(value: float, best: float) -> float:
    if best <= EPSILON:
        return 1.0 if value >= best - EPSILON else 0.0
    return _round(value / best)


def _round(value: float) -> float:
    return round(value, DIGITS)
