"""Replay: derive a log anew from its start, the stored answers and the recorded effects, and compare fact by fact.

A log is a pure function of these (design §2). Where the two differ, the log was made by other rules, or was altered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.errors import GraphBusError
from graphbus_core.negotiation.core.ports import Log, Reply
from graphbus_core.negotiation.core.preflight import apply_preflight, make_try_id
from graphbus_core.negotiation.core.protocol import Answered, Applied, Apply, Event, Silent
from graphbus_core.negotiation.core.session import Session
from graphbus_core.negotiation.proposal import events as e
from graphbus_core.negotiation.proposal.config import ProposalConfig, normalize_json
from graphbus_core.negotiation.proposal.protocol import STOP, ProposalProtocol


@dataclass(frozen=True)
class ReplayResult:
    """How far the replay told the same. `differs` says where not, in words; empty: to the end."""

    facts: int
    of: int
    differs: str = ""


def replay(facts: Sequence[Event], replies: Mapping[str, Reply], log: Log) -> ReplayResult:
    """Run the negotiation again into `log` (empty) and compare with `facts`."""
    if not facts or not isinstance(facts[0], e.NegotiationOpened):
        return ReplayResult(0, len(facts), "it does not begin with an opened proposal negotiation")
    session = Session(ProposalProtocol(), ProposalConfig.from_opened(facts[0]), log)
    receipts = _collect_receipts(facts)
    replayed: list[Event] = []
    try:
        step = session.advance()
        while True:
            for fact in step:
                if len(replayed) == len(facts):
                    return ReplayResult(
                        len(replayed), len(facts)
                    )  # the log stops here: killed, and not yet gone on with
                if _normalize_event(fact) != _normalize_event(facts[len(replayed)]):
                    return ReplayResult(
                        len(replayed), len(facts), _describe_difference(len(replayed) + 1, facts[len(replayed)], fact)
                    )
                replayed.append(fact)
            if len(replayed) == len(facts):
                return ReplayResult(len(replayed), len(facts))
            following = facts[len(replayed)]
            if isinstance(following, e.StopRequested):
                step = session.submit(following.by, {"move": STOP, "why": following.why})
                continue
            head = session.head
            if head is None:
                return ReplayResult(
                    len(replayed), len(facts), f"the rules end it here; the log goes on with {following.kind}"
                )
            if isinstance(head, Apply):
                receipt = receipts.get((head.kind, head.about["proposal_id"]))
                if receipt is None:
                    return ReplayResult(
                        len(replayed), len(facts), f"{head.kind} is due here; the log has {following.kind}"
                    )
                step = session.settle(head.id, Applied(receipt))
                continue
            reply = replies.get(head.id)
            if reply is None:
                return ReplayResult(len(replayed), len(facts), f"there is no stored answer to {head.id}")
            reply = apply_preflight(reply, replies.get(make_try_id(head.id)))
            result = Answered(reply.body) if reply.body is not None else Silent(reply.why or "no answer")
            step = session.settle(head.id, result)
    except GraphBusError as error:
        return ReplayResult(len(replayed), len(facts), str(error))


def _collect_receipts(facts: Sequence[Event]) -> dict[tuple[str, str], Mapping[str, Any]]:
    receipts: dict[tuple[str, str], Mapping[str, Any]] = {}
    for fact in facts:
        match fact:
            case e.CommitPrepared(proposal_id=pid, receipt=receipt):
                receipts["prepare", pid] = receipt
            case e.ProposalCommitted(proposal_id=pid, receipt=receipt):
                receipts["commit", pid] = receipt
            case e.CommitFailed(proposal_id=pid, gate=gate, why=why, passed=passed, ends=ends):
                for kind in ("prepare", "commit"):
                    failed = {"status": "failed", "gate": gate, "reason": why, "gates": passed, "ends": ends}
                    receipts.setdefault((kind, pid), failed)
            case e.ProposalSuperseded(proposal_id=pid, why=why):
                for kind in ("prepare", "commit"):
                    receipts.setdefault((kind, pid), {"status": "superseded", "reason": why})
            case _:
                pass
    return receipts


def _normalize_event(fact: Event) -> Any:
    return fact.kind, normalize_json(fact.to_dict())


def _describe_difference(number: int, was: Event, now: Event) -> str:
    if was.kind != now.kind:
        return f"fact {number} is a {was.kind}; by the rules it is a {now.kind}"
    before, after = normalize_json(was.to_dict()), normalize_json(now.to_dict())
    names = [name for name in before if before[name] != after.get(name)]
    return f"fact {number} ({was.kind}) differs in {', '.join(names)}"
