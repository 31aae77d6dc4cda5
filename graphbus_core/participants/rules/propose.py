"""What a rule negotiator answers when it is asked to propose: repairs, questions, and why it says no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.participants.rules.evidence import Evidence, confidence
from graphbus_core.participants.rules.mismatch import Case
from graphbus_core.participants.rules.open_questions import question, why_nothing
from graphbus_core.participants.rules.repairs import Repair, repair

JOINED = "; "  # between the summaries of repairs that are proposed together


def propose(about: Mapping[str, Any]) -> dict[str, Any]:
    """The repairs of this agent's mismatches as one proposal, or none. What fell once is not said again.

    `questions`: what a person, a model or a script must decide. `left`: gap by gap, why nothing is proposed.
    """
    fallen = _fallen(about)
    made: list[Repair] = []
    asked: list[dict[str, Any]] = []
    left: list[dict[str, str]] = []
    for mismatch in about.get("mismatches", ()):
        case = Case.of(about, mismatch)
        if case is None:
            continue
        for gap in case.gaps:
            found = repair(case, gap)
            if found is not None and {found.summary} not in fallen:
                made.append(found)
            elif found is not None:
                left.append(_left(case, gap.path, f"it was proposed and fell: {found.summary}."))
            elif case.consumer["name"] == case.me["name"] and case.is_late:
                if (one := question(case, gap)) is not None:
                    asked.append(one)
                else:
                    left.append(_left(case, gap.path, why_nothing(case, gap)))
    made = _apart(made)
    if {r.summary for r in made} in fallen:  # together they fell: one by one
        made = made[:1]
    limit = about.get("limits", {}).get("proposals_this_round", 1)
    answer: dict[str, Any] = {"proposals": [_proposal(about, made)] if made and limit >= 1 else []}
    return answer | ({"questions": asked} if asked else {}) | ({"left": left} if left else {})


def _fallen(about: Mapping[str, Any]) -> list[set[str]]:
    return [
        set(h["summary"].split(JOINED))
        for h in about.get("history", ())
        if h.get("role") == "proposer" and h.get("outcome") not in ("committed", "deferred")
    ]


def _apart(made: list[Repair]) -> list[Repair]:
    """Repairs that touch no field twice, the first of those that do."""
    kept: list[Repair] = []
    taken: set[str] = set()
    for one in made:
        addresses = {_address(op) for op in one.diff}
        if not addresses & taken:
            taken |= addresses
            kept.append(one)
    return kept


def _left(case: Case, field: str, why: str) -> dict[str, str]:
    return {"link": case.link_id, "field": field, "why": why}


def _proposal(about: Mapping[str, Any], made: list[Repair]) -> dict[str, Any]:
    me = about["card"]["name"]
    peers = {
        end["node"]
        for m in about.get("mismatches", ())
        for end in (m["link"]["producer"], m["link"]["consumer"])
        if end["node"] != me
    }
    sure = min(confidence(r.rests_on) for r in made)  # a chain is as sure as its weakest part
    return {
        "type": "breaking_change" if any(r.breaking for r in made) else "schema_extension",
        "intent": "align_schemas",
        "diff": [dict(op) for r in made for op in r.diff],
        "summary": JOINED.join(r.summary for r in made),
        "rationale": " ".join(dict.fromkeys(r.rationale for r in made)) + _said(made, sure),
        "affected_agents": sorted(peers),
        "confidence": sure,
    }


def _said(made: list[Repair], sure: float) -> str:
    """Which evidence, and what it is worth."""
    told: dict[Evidence, None] = {e: None for r in made for e in r.rests_on}
    return f" Evidence ({sure:g}): {'; '.join(f'{e.kind}: {e}' for e in told)}."


def _address(op: Mapping[str, Any]) -> str:
    return f"{op['node']}.{op.get('method')}.{op.get('side')}.{op.get('field')}"
