"""What every agreement and every deadlock is handed out with, and how both are computed again (design §8).

A certificate says how good the agreement is: efficient, or the better deal that exists; its Nash, egalitarian and
welfare ratios. A proof says why there is none: red lines that cannot hold together, and the cheapest way out. Both
are plain data and a pure function of the scenario and the agreement, so `verification` computes them again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from graphbus_core.negotiation.consent.events import (
    MEDIATOR,
    BallotCommitted,
    BallotForfeited,
    BallotOpened,
    CheckCalled,
    ConsentConfig,
    Consented,
    Discussed,
    Ended,
    Objected,
    PositionStated,
    ProposalTabled,
    Status,
    StoodAside,
    compute_proposal_hash,
)
from graphbus_core.negotiation.consent.mediator import find_best_group, iterate_groups
from graphbus_core.negotiation.consent.optimum.results import (
    Deadlock,
    Relaxation,
    list_bounded_seats,
    nash_product,
)
from graphbus_core.negotiation.consent.optimum.search import (
    check_efficiency,
    choose_package,
    find_deadlock,
    find_optima,
    rank_gains,
)
from graphbus_core.negotiation.consent.scenario.model import (
    EPSILON,
    BargainingRule,
    Forbidden,
    Limit,
    MinimumScore,
    Package,
    RedLine,
    Scenario,
    describe_issues,
    describe_preferences,
)
from graphbus_core.negotiation.core import Entry, Event

# What binds a certificate to a negotiation that took place: the proposal, each vote with its time, the log's head.
#
# Pure: a log's facts come in. A certificate is not a signature: whoever can write the log can write another one. It
# says which log it was made from, so that a document can be held against that log, word for word.


# Every advocate's word costs a turn, an answer to a check too: that is how seed 003 counts, and its documents are
# compared.
COUNTED = (
    PositionStated,
    Discussed,
    BallotCommitted,
    BallotOpened,
    Consented,
    Objected,
    StoodAside,
)  # what a turn is, beside an advocate's proposal

VOTES: Mapping[type[Event], str] = {Consented: "consent", Objected: "object", StoodAside: "stand aside"}


def build_attestation(
    scenario: Scenario, entries: Iterable[Entry], log_id: str | None, head: str | None
) -> dict[str, Any]:
    """The attestation of an ended negotiation. `log_id`, `head`: of its log; None where it was kept in memory alone."""
    facts = list(entries)
    # From the end, where it stands: nothing follows it in an ended log.
    ended = next(e.event for e in reversed(facts) if isinstance(e.event, Ended))
    is_done = ended.status == Status.DONE
    return {
        "log": log_id,
        "facts": len(facts),
        "head": head,
        "preferences": scenario.preferences.value,
        "status": ended.status,
        "reason": ended.reason,
        "turns": ended.turns,
        "speaking_turns": ended.speaking_turns,
        "proposal": {"number": ended.number, "hash": ended.hash} if is_done else None,
        "votes": _list_votes(facts) if is_done else [],
        **_describe_mediator(facts, ended),
    }


def _describe_mediator(facts: Sequence[Entry], ended: Ended) -> dict[str, str]:
    """What the sealed mediator said of the agreed proposal: its bound."""
    tabled = [e.event for e in facts if isinstance(e.event, ProposalTabled) and e.event.number == ended.number]
    return {"mediator": tabled[0].rationale} if tabled and tabled[0].by == MEDIATOR else {}


def _list_votes(facts: Sequence[Entry]) -> list[dict[str, Any]]:
    """The answers to the last check."""
    # Earlier checks were about proposals that failed. Their votes say nothing of the agreement.
    last = max((n for n, e in enumerate(facts) if isinstance(e.event, CheckCalled)), default=len(facts))
    out = []
    for entry in facts[last:]:
        event = entry.event
        if isinstance(event, Consented | Objected | StoodAside):
            timestamp = None
            if entry.at is not None:
                # In UTC and to the millisecond: the same log must give the same text on every machine.
                timestamp = datetime.fromtimestamp(entry.at, UTC).isoformat(timespec="milliseconds")
            vote: dict[str, Any] = {"advocate": event.advocate, "vote": VOTES[type(event)], "at": timestamp}
            if isinstance(event, StoodAside):
                vote["reason"] = event.reason
            out.append(vote)
    return out


def find_log_faults(config: ConsentConfig, events: Sequence[Event]) -> list[str]:
    """What of a log's end does not follow from what stands before it; empty: it does.

    The agreed proposal was tabled with these terms, its hash is theirs, enough registered advocates consented to that
    hash in one check, nobody across a red line, and the turns are as many as were used.
    """
    ended = events[-1] if events and isinstance(events[-1], Ended) else None
    if ended is None:
        return ["the log has no end: the negotiation is not over, or its last facts are missing"]
    wrong = _find_turn_faults(config, events, ended)
    if ended.status != Status.DONE:
        return wrong
    tabled = [e for e in events if isinstance(e, ProposalTabled | CheckCalled) and e.number == ended.number]
    # The hash is computed again, and not compared with itself: consent is bound to the words.
    if not tabled or tabled[-1].terms != ended.terms or compute_proposal_hash(ended.number, ended.terms) != ended.hash:
        wrong.append("the log's agreement is not the proposal of that number")
    return wrong + _find_vote_faults(config.scenario, events, ended)


def _find_turn_faults(config: ConsentConfig, events: Sequence[Event], ended: Ended) -> list[str]:
    names = config.scenario.names
    # Counted from the facts. The number in the last one is a claim.
    used = sum(isinstance(e, COUNTED) or (isinstance(e, ProposalTabled) and e.by in names) for e in events)
    used -= sum(isinstance(e, BallotCommitted) and not e.commitment for e in events)  # nothing more is needed
    if used == ended.turns and used <= config.max_turns:
        return []
    return [f"the log says {ended.turns} turns; its facts use {used}"]


def _find_vote_faults(scenario: Scenario, events: Sequence[Event], ended: Ended) -> list[str]:
    """What is wrong with the votes on the agreed proposal: strangers, two of one advocate, too few, red lines."""
    wrong = []
    # By hash and not by number: a consent to the text before an edit is not consent to this one.
    yes, no, aside = (
        {e.advocate for e in events if isinstance(e, kind) and e.hash == ended.hash}
        for kind in (Consented, Objected, StoodAside)
    )
    if not yes | aside <= set(scenario.names) or yes & no or yes & aside or no & aside:
        wrong.append("the log holds votes of somebody who is not an advocate here, or two of one advocate")
    if aside and not scenario.stand_aside:
        wrong.append(f"{' and '.join(sorted(aside))} stood aside in the log, which this decision does not allow")
    forfeited = {e.advocate for e in events if isinstance(e, BallotForfeited)}
    if forfeited & (yes | no | aside):
        wrong.append("the log holds a vote of somebody whose ballot stayed shut")
    if not scenario.is_agreed(yes, aside | forfeited):
        needed = scenario.quorum_size - len(aside) - len(forfeited)
        wrong.append(f"{len(yes)} advocates consented in the log; {needed} must")
    if scenario.issues and isinstance(ended.terms, Mapping):
        outcome = scenario.parse_terms(ended.terms)
        # Whoever consents across its own red line has been impersonated, or the log was written by hand.
        across = [n for n in sorted((yes | aside) & set(scenario.names)) if scenario.find_crossed_lines(n, outcome)]
        wrong += [f"{n} {'consented' if n in yes else 'stood aside'} across its own red line" for n in across]
    return wrong


# Floats of two machines agree to some twelve digits; nine are compared, so that none differs by rounding alone.
DIGITS = 9  # decimals that are written and compared


def compute_digest(scenario: Scenario) -> str:
    """What the scenario is, whoever's turn comes first: issues, preferences, red lines, quorum."""
    # Sorted keys and no order of seats: two files that say the same have one digest.
    plain = {
        "issues": describe_issues(scenario),
        "advocates": {a.name: describe_preferences(scenario, a.name) for a in scenario.advocates},
        "costs": {a.name: [line.cost for line in a.red_lines] for a in scenario.advocates},
        "quorum": scenario.quorum,
        **_list_chosen_rules(scenario),
    }
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _list_chosen_rules(scenario: Scenario) -> dict[str, Any]:
    """What differs from the rules of the first edition: its digests stay what they were."""
    # Only what differs: documents of the first edition carry digests without these keys, and must still verify.
    rules: dict[str, Any] = {}
    if scenario.choose is not BargainingRule.NASH:
        rules["choose"] = scenario.choose.value
    if scenario.stand_aside:
        rules["stand_aside"] = True
    return rules


def compute_public_digest(scenario: Scenario) -> str:
    """What everyone at the table knows of a scenario with private preferences: issues, names, vetoes, quorum.

    A hash over somebody's scores would give them away to whoever can try all of them.
    """
    seats = {a.name: a.veto for a in scenario.advocates}
    plain = {
        "issues": describe_issues(scenario),
        "advocates": seats,
        "quorum": scenario.quorum,
        **_list_chosen_rules(scenario),
    }
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def strip_numbers(scenario: Scenario, record: Mapping[str, Any]) -> dict[str, Any] | None:
    """The record as everyone at the table may see it where preferences are private: no score, minimum or better deal.

    None for a proof: it is made of what only its owners know (design §8).
    """
    if record["kind"] != "certificate":
        return None
    public_fields = {
        # Everything else is made of somebody's scores. A list of what is kept is safe; a list of what is dropped
        # forgets.
        k: record[k]
        for k in ("agreement", "advocates", "stood_aside", "forfeited", "red_lines_crossed", "attested")
        if k in record
    }
    return {
        "kind": "certificate",
        "preferences": scenario.preferences.value,
        "scenario": compute_public_digest(scenario),
        **public_fields,
    }


def is_checkable(scenario: Scenario) -> bool:
    """Whether there is anything to compute: issues, and scores or red lines."""
    return bool(scenario.issues) and any(a.has_scores or a.red_lines for a in scenario.advocates)


def compute_scores(scenario: Scenario, outcome: Package) -> dict[str, float]:
    """What the outcome is worth to each advocate that gave scores."""
    return {a.name: _round_value(a.score(outcome)) for a in scenario.scored_advocates}


def list_minimums(scenario: Scenario) -> dict[str, float]:
    """What each advocate that gave scores needs at least: its minimum, or the least its scores can add up to."""
    return {a.name: _round_value(a.floor) for a in scenario.scored_advocates}


def build_certificate(
    scenario: Scenario,
    outcome: Package,
    consented: Sequence[str] | None = None,
    aside: Sequence[str] = (),
    forfeited: Sequence[str] = (),
) -> dict[str, Any]:
    """The certificate of an agreement by the advocates that consented (default all).

    It is weighed over everybody who did not object: who stands aside loses or gains by the deal like anybody else.
    `forfeited`: whose ballot stayed shut. They had no say, so nothing is claimed of them.
    """
    # In the scenario's order, whatever the order of the votes was.
    yes = tuple(n for n in scenario.names if consented is None or n in consented)
    names = tuple(n for n in scenario.names if n in yes or n in aside)
    # Also of who stood aside: the deal must cross no red line of anybody who did not object.
    crossed = [
        {"advocate": n, "red_line": line.text}
        for n in sorted(names)
        for line in scenario.find_crossed_lines(n, outcome)
    ]
    assessment = check_efficiency(scenario, outcome, names)
    better = assessment.better
    record: dict[str, Any] = {
        "kind": "certificate",
        "scenario": compute_digest(scenario),
        "agreement": scenario.build_terms(outcome),
        "advocates": sorted(yes),
        **({"stood_aside": sorted(aside)} if aside or scenario.stand_aside else {}),
        **({"forfeited": sorted(forfeited)} if forfeited else {}),
        "scores": compute_scores(scenario, outcome),
        "minimums": list_minimums(scenario),
        "red_lines_crossed": crossed,
        "pareto_efficient": assessment.efficient,  # None: not known, the solver's time ran out
        "better": None
        if better is None
        else {"agreement": scenario.build_terms(better), "scores": compute_scores(scenario, better)},
        **_compute_measures(scenario, outcome, names),
        **({"bounded": bounded} if (bounded := list_bounded_seats(scenario, False)) else {}),
    }
    if scenario.choose is not BargainingRule.NASH:
        record["choice"] = _describe_choice(scenario, outcome, names)
    return record


def _compute_measures(scenario: Scenario, outcome: Package, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Nash, egalitarian and welfare: what the agreement reaches, the best there is, and how near it comes."""
    best = find_optima(scenario, names)
    measures: dict[str, dict[str, Any]] = {}
    for name, value in compute_measure_values(scenario, outcome, names).items():
        # Unknown is told as unknown. A ratio against what happened to be found would flatter the deal.
        top = getattr(best, name) if best is not None else None
        if top is None:
            measures[name] = {"value": _round_value(value), "best": None, "ratio": None, "best_agreement": None}
            continue
        measures[name] = {
            "value": _round_value(value),
            "best": _round_value(top.value),
            # A product of gains may be tiny and real, so only a true nought counts as none. Sums lie within rounding.
            "ratio": _compute_ratio(value, top.value, 0.0 if name == "nash" else EPSILON),
            "best_agreement": scenario.build_terms(top.outcome),
        }
        if top.gap > 0:  # the best is what is known; nothing reaches more than the bound
            measures[name] |= {"bound": _round_value(top.bound or 0.0), "gap": _round_value(top.gap)}
    return measures


def compute_measure_values(scenario: Scenario, outcome: Package, names: Sequence[str]) -> dict[str, float]:
    """What an outcome reaches for these advocates, by each of the three measures."""
    seats = [a for a in scenario.scored_advocates if a.name in names]
    gains = [a.score(outcome) - a.floor for a in seats]
    return {
        "nash": nash_product(gains),
        "egalitarian": min(gains, default=0.0),
        "utilitarian": sum(a.score(outcome) for a in seats),
    }


def _describe_choice(scenario: Scenario, outcome: Package, names: Sequence[str]) -> dict[str, Any]:
    """How the agreement stands by the rule that was chosen: what it reaches, the least first, and the best there is."""
    # Nothing better is known, so what was reached is the best there is.
    top = choose_package(scenario, names)
    reached_values = [_round_value(v) for v in rank_gains(scenario, outcome, names)]
    best = reached_values if top is None else [_round_value(v) for v in rank_gains(scenario, top.outcome, names)]
    return {"rule": scenario.choose.value, "reached": reached_values, "best": best}


def build_proof(scenario: Scenario) -> dict[str, Any] | None:
    """Why nothing could be agreed, or that something could; None where there is nothing to compute."""
    if not is_checkable(scenario):
        return None
    base: dict[str, Any] = {"scenario": compute_digest(scenario)}
    if scenario.stand_aside:
        base["stand_aside"] = True
    group, best = find_best_group(scenario)
    if best is not None:
        return {
            "kind": "possible",
            **base,
            "text": "The red lines can hold together: an agreement exists that was not found.",
            "advocates": sorted(group),
            "agreement": scenario.build_terms(best.outcome),
        }
    # Neither a deal nor a deadlock is a contradiction: the two searches ask the same question.
    deadlock = find_deadlock(scenario)
    assert deadlock is not None, "no outcome is possible, so the red lines conflict"
    out = {"kind": "deadlock", **base, **_describe_deadlock(scenario, deadlock)}
    if bounded := list_bounded_seats(scenario, True):
        out["bounded"] = bounded
    if scenario.quorum_size < len(scenario.advocates):
        # With a quorum each group that could agree is told apart, since a deadlock of one is not one of another.
        out["groups"] = [
            {"advocates": sorted(g), **_describe_deadlock(scenario, each)}
            for g in iterate_groups(scenario, scenario.quorum_size)
            if (each := find_deadlock(scenario, g)) is not None
        ]
    return out


def _describe_deadlock(scenario: Scenario, deadlock: Deadlock) -> dict[str, Any]:
    return {
        "conflict": sorted((serialize_red_line(scenario, line) for line in deadlock.conflict), key=build_sort_key),
        "relaxation": {
            "steps": list_relaxation_steps(scenario, deadlock.relaxation),
            "cost": _round_value(deadlock.relaxation.cost),
            "agreement": scenario.build_terms(deadlock.relaxation.outcome),
        },
    }


def list_relaxation_steps(scenario: Scenario, relaxation: Relaxation) -> list[dict[str, Any]]:
    """What gives way, as plain data in a fixed order."""
    steps = [
        {**serialize_red_line(scenario, s.line), "by": _round_value(s.by), "cost": _round_value(s.cost)}
        for s in relaxation.steps
    ]
    return sorted(steps, key=build_sort_key)


def build_sort_key(entry: Mapping[str, Any]) -> str:
    """By what entries are sorted and compared: all that stands in them."""
    return json.dumps(entry, sort_keys=True)


def serialize_red_line(scenario: Scenario, line: RedLine) -> dict[str, Any]:
    """A red line as plain data."""
    rule: dict[str, Any]
    issues = scenario.issues
    if isinstance(line.rule, Forbidden):
        combination = line.rule.combination.items()
        rule = {"forbid": {issues[i].name: [issues[i].options[o] for o in sorted(c)] for i, c in combination}}
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


def _compute_ratio(value: float, best: float, nothing: float) -> float:
    """Of the best. `nothing`: up to where a best counts as none; a product may be tiny and still be one."""
    if best <= nothing:
        return 1.0 if value >= best - EPSILON else 0.0
    return _round_value(value / best)


def _round_value(value: float) -> float:
    """To nine decimals; what is smaller than one keeps nine digits, so that a tiny product is not written as zero."""
    return round(value, DIGITS) if abs(value) >= 1 else float(f"{value:.{DIGITS}g}")
