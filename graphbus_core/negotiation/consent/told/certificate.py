"""What every agreement and every deadlock is handed out with, and how both are computed again (design §8).

A certificate says how good the agreement is: efficient, or the better deal that exists; its Nash, egalitarian and
welfare ratios. A proof says why there is none: red lines that cannot hold together, and the cheapest way out. Both
are plain data and a pure function of the scenario and the agreement, so `verification` computes them again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.negotiation.consent.optimum.best import efficiency, find_deadlock, optima
from graphbus_core.negotiation.consent.optimum.choices import chosen, ranked
from graphbus_core.negotiation.consent.optimum.found import Deadlock, Relaxation, product
from graphbus_core.negotiation.consent.optimum.mediator import best_group, groups
from graphbus_core.negotiation.consent.scenario.plain import issues_of, preferences_of
from graphbus_core.negotiation.consent.scenario.scenario import (
    EPSILON,
    BargainingRule,
    Forbidden,
    Limit,
    MinimumScore,
    Outcome,
    RedLine,
    Scenario,
)

# Floats of two machines agree to some twelve digits; nine are compared, so that none differs by rounding alone.
DIGITS = 9  # decimals that are written and compared


def digest(scenario: Scenario) -> str:
    """What the scenario is, whoever's turn comes first: issues, preferences, red lines, quorum."""
    # Sorted keys and no order of seats: two files that say the same have one digest.
    plain = {
        "issues": issues_of(scenario),
        "advocates": {a.name: preferences_of(scenario, a.name) for a in scenario.advocates},
        "costs": {a.name: [line.cost for line in a.red_lines] for a in scenario.advocates},
        "quorum": scenario.quorum,
        **_chosen_rules(scenario),
    }
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _chosen_rules(scenario: Scenario) -> dict[str, Any]:
    """What differs from the rules of the first edition: its digests stay what they were."""
    # Only what differs: documents of the first edition carry digests without these keys, and must still verify.
    rules: dict[str, Any] = {}
    if scenario.choose is not BargainingRule.NASH:
        rules["choose"] = scenario.choose.value
    if scenario.stand_aside:
        rules["stand_aside"] = True
    return rules


def public_digest(scenario: Scenario) -> str:
    """What everyone at the table knows of a scenario with private preferences: issues, names, vetoes, quorum.

    A hash over somebody's scores would give them away to whoever can try all of them.
    """
    seats = {a.name: a.veto for a in scenario.advocates}
    plain = {"issues": issues_of(scenario), "advocates": seats, "quorum": scenario.quorum, **_chosen_rules(scenario)}
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def without_numbers(scenario: Scenario, record: Mapping[str, Any]) -> dict[str, Any] | None:
    """The record as everyone at the table may see it where preferences are private: no score, minimum or better deal.

    None for a proof: it is made of what only its owners know (design §8).
    """
    if record["kind"] != "certificate":
        return None
    kept = {
        # Everything else is made of somebody's scores. A list of what is kept is safe; a list of what is dropped
        # forgets.
        k: record[k]
        for k in ("agreement", "advocates", "stood_aside", "red_lines_crossed", "attested")
        if k in record
    }
    return {
        "kind": "certificate",
        "preferences": scenario.preferences.value,
        "scenario": public_digest(scenario),
        **kept,
    }


def checkable(scenario: Scenario) -> bool:
    """Whether there is anything to compute: issues, and scores or red lines."""
    return bool(scenario.issues) and any(a.scored or a.red_lines for a in scenario.advocates)


def scores(scenario: Scenario, outcome: Outcome) -> dict[str, float]:
    """What the outcome is worth to each advocate that gave scores."""
    return {a.name: _round(a.score(outcome)) for a in scenario.scored}


def minimums(scenario: Scenario) -> dict[str, float]:
    """What each advocate that gave scores needs at least: its minimum, or the least its scores can add up to."""
    return {a.name: _round(a.floor) for a in scenario.scored}


def certificate(
    scenario: Scenario, outcome: Outcome, consented: Sequence[str] | None = None, aside: Sequence[str] = ()
) -> dict[str, Any]:
    """The certificate of an agreement by the advocates that consented (default all).

    It is weighed over everybody who did not object: who stands aside loses or gains by the deal like anybody else.
    """
    # In the scenario's order, whatever the order of the votes was.
    yes = tuple(n for n in scenario.names if consented is None or n in consented)
    names = tuple(n for n in scenario.names if n in yes or n in aside)
    # Also of who stood aside: the deal must cross no red line of anybody who did not object.
    crossed = [{"advocate": n, "red_line": line.text} for n in sorted(names) for line in scenario.crossed(n, outcome)]
    known = efficiency(scenario, outcome, names)
    better = known.better
    found: dict[str, Any] = {
        "kind": "certificate",
        "scenario": digest(scenario),
        "agreement": scenario.terms(outcome),
        "advocates": sorted(yes),
        **({"stood_aside": sorted(aside)} if aside or scenario.stand_aside else {}),
        "scores": scores(scenario, outcome),
        "minimums": minimums(scenario),
        "red_lines_crossed": crossed,
        "pareto_efficient": known.efficient,  # None: not known, the solver's time ran out
        "better": None if better is None else {"agreement": scenario.terms(better), "scores": scores(scenario, better)},
        **_measures(scenario, outcome, names),
    }
    if scenario.choose is not BargainingRule.NASH:
        found["choice"] = _choice(scenario, outcome, names)
    return found


def _measures(scenario: Scenario, outcome: Outcome, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Nash, egalitarian and welfare: what the agreement reaches, the best there is, and how near it comes."""
    best = optima(scenario, names)
    found: dict[str, dict[str, Any]] = {}
    for name, value in reached(scenario, outcome, names).items():
        # Unknown is told as unknown. A ratio against what happened to be found would flatter the deal.
        top = getattr(best, name) if best is not None else None
        if top is None:
            found[name] = {"value": _round(value), "best": None, "ratio": None, "best_agreement": None}
            continue
        found[name] = {
            "value": _round(value),
            "best": _round(top.value),
            # A product of gains may be tiny and real, so only a true nought counts as none. Sums lie within rounding.
            "ratio": _ratio(value, top.value, 0.0 if name == "nash" else EPSILON),
            "best_agreement": scenario.terms(top.outcome),
        }
        if top.gap > 0:  # the best is what is known; nothing reaches more than the bound
            found[name] |= {"bound": _round(top.bound or 0.0), "gap": _round(top.gap)}
    return found


def reached(scenario: Scenario, outcome: Outcome, names: Sequence[str]) -> dict[str, float]:
    """What an outcome reaches for these advocates, by each of the three measures."""
    seats = [a for a in scenario.scored if a.name in names]
    gains = [a.score(outcome) - a.floor for a in seats]
    return {
        "nash": product(gains),
        "egalitarian": min(gains, default=0.0),
        "utilitarian": sum(a.score(outcome) for a in seats),
    }


def _choice(scenario: Scenario, outcome: Outcome, names: Sequence[str]) -> dict[str, Any]:
    """How the agreement stands by the rule that was chosen: what it reaches, the least first, and the best there is."""
    # Nothing better is known, so what was reached is the best there is.
    top = chosen(scenario, names)
    here = [_round(v) for v in ranked(scenario, outcome, names)]
    best = here if top is None else [_round(v) for v in ranked(scenario, top.outcome, names)]
    return {"rule": scenario.choose.value, "reached": here, "best": best}


def proof(scenario: Scenario) -> dict[str, Any] | None:
    """Why nothing could be agreed, or that something could; None where there is nothing to compute."""
    if not checkable(scenario):
        return None
    base: dict[str, Any] = {"scenario": digest(scenario)}
    if scenario.stand_aside:
        base["stand_aside"] = True
    group, best = best_group(scenario)
    if best is not None:
        return {
            "kind": "possible",
            **base,
            "text": "The red lines can hold together: an agreement exists that was not found.",
            "advocates": sorted(group),
            "agreement": scenario.terms(best.outcome),
        }
    # Neither a deal nor a deadlock is a contradiction: the two searches ask the same question.
    found = find_deadlock(scenario)
    assert found is not None, "no outcome is possible, so the red lines conflict"
    out = {"kind": "deadlock", **base, **_deadlock(scenario, found)}
    if scenario.needed < len(scenario.advocates):
        # With a quorum each group that could agree is told apart, since a deadlock of one is not one of another.
        out["groups"] = [
            {"advocates": sorted(g), **_deadlock(scenario, each)}
            for g in groups(scenario, scenario.needed)
            if (each := find_deadlock(scenario, g)) is not None
        ]
    return out


def _deadlock(scenario: Scenario, found: Deadlock) -> dict[str, Any]:
    return {
        "conflict": sorted((line_of(scenario, line) for line in found.conflict), key=order),
        "relaxation": {
            "steps": steps_of(scenario, found.relaxation),
            "cost": _round(found.relaxation.cost),
            "agreement": scenario.terms(found.relaxation.outcome),
        },
    }


def steps_of(scenario: Scenario, relaxation: Relaxation) -> list[dict[str, Any]]:
    """What gives way, as plain data in a fixed order."""
    steps = [{**line_of(scenario, s.line), "by": _round(s.by), "cost": _round(s.cost)} for s in relaxation.steps]
    return sorted(steps, key=order)


def order(entry: Mapping[str, Any]) -> str:
    """By what entries are sorted and compared: all that stands in them."""
    return json.dumps(entry, sort_keys=True)


def line_of(scenario: Scenario, line: RedLine) -> dict[str, Any]:
    """A red line as plain data."""
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


def _ratio(value: float, best: float, nothing: float) -> float:
    """Of the best. `nothing`: up to where a best counts as none; a product may be tiny and still be one."""
    if best <= nothing:
        return 1.0 if value >= best - EPSILON else 0.0
    return _round(value / best)


def _round(value: float) -> float:
    """To nine decimals; what is smaller than one keeps nine digits, so that a tiny product is not written as zero."""
    return round(value, DIGITS) if abs(value) >= 1 else float(f"{value:.{DIGITS}g}")
