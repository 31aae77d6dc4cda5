"""What binds a certificate to a negotiation that took place: the proposal, each vote with its time, the log's head.

Pure: a log's facts come in. A certificate is no signature: whoever can write the log can write another one. It says
which log it was made from, so that a document can be held against that log, word for word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from graphbus_core.negotiation.consent.scenario.scenario import Scenario
from graphbus_core.negotiation.consent.vocabulary import (
    MEDIATOR,
    CheckCalled,
    ConsentConfig,
    Consented,
    Discussed,
    Ended,
    Objected,
    PositionStated,
    ProposalTabled,
    Status,
    proposal_hash,
)
from graphbus_core.negotiation.core import Entry, Event

COUNTED = (PositionStated, Discussed, Consented, Objected)  # what a turn is, beside an advocate's proposal


def attested(scenario: Scenario, entries: Iterable[Entry], log_id: str | None, head: str | None) -> dict[str, Any]:
    """The attestation of an ended negotiation. `log_id`, `head`: of its log; None where it was kept in memory alone."""
    facts = list(entries)
    ended = next(e.event for e in reversed(facts) if isinstance(e.event, Ended))
    done = ended.status == Status.DONE
    return {
        "log": log_id,
        "facts": len(facts),
        "head": head,
        "preferences": scenario.preferences.value,
        "status": ended.status,
        "reason": ended.reason,
        "turns": ended.turns,
        "speaking_turns": ended.speaking_turns,
        "proposal": {"number": ended.number, "hash": ended.hash} if done else None,
        "votes": _votes(facts) if done else [],
        **_mediator(facts, ended),
    }


def _mediator(facts: Sequence[Entry], ended: Ended) -> dict[str, str]:
    """What the sealed mediator said of the agreed proposal: its bound."""
    tabled = [e.event for e in facts if isinstance(e.event, ProposalTabled) and e.event.number == ended.number]
    return {"mediator": tabled[0].rationale} if tabled and tabled[0].by == MEDIATOR else {}


def _votes(facts: Sequence[Entry]) -> list[dict[str, Any]]:
    """The answers to the last check."""
    last = max((n for n, e in enumerate(facts) if isinstance(e.event, CheckCalled)), default=len(facts))
    out = []
    for entry in facts[last:]:
        event = entry.event
        if isinstance(event, Consented | Objected):
            at = None
            if entry.at is not None:
                at = datetime.fromtimestamp(entry.at, UTC).isoformat(timespec="milliseconds")
            vote = "consent" if isinstance(event, Consented) else "object"
            out.append({"advocate": event.advocate, "vote": vote, "at": at})
    return out


def faults_of(config: ConsentConfig, events: Sequence[Event]) -> list[str]:
    """What of a log's end does not follow from what stands before it; empty: it does.

    The agreed proposal was tabled with these terms, its hash is theirs, enough registered advocates consented to that
    hash in one check, nobody across a red line, and the turns are as many as were used.
    """
    scenario = config.scenario
    ended = events[-1] if events and isinstance(events[-1], Ended) else None
    if ended is None:
        return ["the log has no end: the negotiation is not over, or its last facts are missing"]
    wrong = []
    used = sum(isinstance(e, COUNTED) or (isinstance(e, ProposalTabled) and e.by in scenario.names) for e in events)
    if used != ended.turns or used > config.max_turns:
        wrong.append(f"the log says {ended.turns} turns; its facts use {used}")
    if ended.status != Status.DONE:
        return wrong
    tabled = [e for e in events if isinstance(e, ProposalTabled | CheckCalled) and e.number == ended.number]
    if not tabled or tabled[-1].terms != ended.terms or proposal_hash(ended.number, ended.terms) != ended.hash:
        wrong.append("the log's agreement is not the proposal of that number")
    yes = {e.advocate for e in events if isinstance(e, Consented) and e.hash == ended.hash}
    no = {e.advocate for e in events if isinstance(e, Objected) and e.hash == ended.hash}
    if not yes <= set(scenario.names) or yes & no:
        wrong.append("the log holds votes of somebody who is no advocate here, or two of one advocate")
    if len(yes) < scenario.needed or any(a.veto and a.name not in yes for a in scenario.advocates):
        wrong.append(f"{len(yes)} advocates consented in the log; {scenario.needed} must")
    if scenario.issues and isinstance(ended.terms, Mapping):
        outcome = scenario.outcome(ended.terms)
        wrong += [f"{n} consented across its own red line" for n in sorted(yes) if scenario.crossed(n, outcome)]
    return wrong
