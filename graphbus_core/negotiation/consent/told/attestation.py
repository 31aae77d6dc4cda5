"""What binds a certificate to a negotiation that took place: the proposal, each vote with its time, the log's head.

Pure: a log's facts come in. A certificate is not a signature: whoever can write the log can write another one. It says
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
    StoodAside,
    proposal_hash,
)
from graphbus_core.negotiation.core import Entry, Event

# Every advocate's word costs a turn, an answer to a check too: that is how seed 003 counts, and its documents are
# compared.
COUNTED = (PositionStated, Discussed, Consented, Objected, StoodAside)  # what a turn is, beside an advocate's proposal

VOTES: Mapping[type[Event], str] = {Consented: "consent", Objected: "object", StoodAside: "stand aside"}


def attested(scenario: Scenario, entries: Iterable[Entry], log_id: str | None, head: str | None) -> dict[str, Any]:
    """The attestation of an ended negotiation. `log_id`, `head`: of its log; None where it was kept in memory alone."""
    facts = list(entries)
    # From the end, where it stands: nothing follows it in an ended log.
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
    # Earlier checks were about proposals that failed. Their votes say nothing of the agreement.
    last = max((n for n, e in enumerate(facts) if isinstance(e.event, CheckCalled)), default=len(facts))
    out = []
    for entry in facts[last:]:
        event = entry.event
        if isinstance(event, Consented | Objected | StoodAside):
            at = None
            if entry.at is not None:
                # In UTC and to the millisecond: the same log must give the same text on every machine.
                at = datetime.fromtimestamp(entry.at, UTC).isoformat(timespec="milliseconds")
            vote: dict[str, Any] = {"advocate": event.advocate, "vote": VOTES[type(event)], "at": at}
            if isinstance(event, StoodAside):
                vote["reason"] = event.reason
            out.append(vote)
    return out


def faults_of(config: ConsentConfig, events: Sequence[Event]) -> list[str]:
    """What of a log's end does not follow from what stands before it; empty: it does.

    The agreed proposal was tabled with these terms, its hash is theirs, enough registered advocates consented to that
    hash in one check, nobody across a red line, and the turns are as many as were used.
    """
    ended = events[-1] if events and isinstance(events[-1], Ended) else None
    if ended is None:
        return ["the log has no end: the negotiation is not over, or its last facts are missing"]
    wrong = _turn_faults(config, events, ended)
    if ended.status != Status.DONE:
        return wrong
    tabled = [e for e in events if isinstance(e, ProposalTabled | CheckCalled) and e.number == ended.number]
    # The hash is computed again, and not compared with itself: consent is bound to the words.
    if not tabled or tabled[-1].terms != ended.terms or proposal_hash(ended.number, ended.terms) != ended.hash:
        wrong.append("the log's agreement is not the proposal of that number")
    return wrong + _vote_faults(config.scenario, events, ended)


def _turn_faults(config: ConsentConfig, events: Sequence[Event], ended: Ended) -> list[str]:
    names = config.scenario.names
    # Counted from the facts. The number in the last one is a claim.
    used = sum(isinstance(e, COUNTED) or (isinstance(e, ProposalTabled) and e.by in names) for e in events)
    if used == ended.turns and used <= config.max_turns:
        return []
    return [f"the log says {ended.turns} turns; its facts use {used}"]


def _vote_faults(scenario: Scenario, events: Sequence[Event], ended: Ended) -> list[str]:
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
    if not scenario.is_agreed(yes, aside):
        wrong.append(f"{len(yes)} advocates consented in the log; {scenario.needed - len(aside)} must")
    if scenario.issues and isinstance(ended.terms, Mapping):
        outcome = scenario.outcome(ended.terms)
        # Whoever consents across its own red line has been impersonated, or the log was written by hand.
        across = [n for n in sorted(yes | aside) if scenario.crossed(n, outcome)]
        wrong += [f"{n} {'consented' if n in yes else 'stood aside'} across its own red line" for n in across]
    return wrong
