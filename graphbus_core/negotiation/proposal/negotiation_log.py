"""`negotiation_log.json`: what a negotiation looks like to people, a superset of the example in seed 000.

A projection of the log: it can be thrown away and made again. Times and the build id are envelope, given from outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from graphbus_core.model.operation import (
    AddField,
    FieldOperation,
    Operation,
    RemoveField,
    RenameField,
    RetypeField,
    SetOptional,
    parse_operations,
)
from graphbus_core.negotiation.core.ports import Entry
from graphbus_core.negotiation.core.protocol import AnswerRefused
from graphbus_core.negotiation.proposal import events as e
from graphbus_core.negotiation.proposal.config import ProposalConfig
from graphbus_core.negotiation.proposal.protocol import ProposalProtocol
from graphbus_core.negotiation.proposal.state import State, build_fate
from graphbus_core.negotiation.proposal.transitions import Stage
from graphbus_core.negotiation.proposal.vocabulary import ProposalFate, ProposalOutcome as Outcome, ProposalType

# Seed 000's nested form of a diff, as it is written out; `said.forms` reads it.


def build_nested_diff(ops: Sequence[Operation]) -> dict[str, Any] | None:
    """Seed 000's form of a diff that is nothing but contract changes of one method; None where it has no such form."""
    if not ops or len({op.symbol for op in ops}) != 1:
        return None
    first = ops[0]
    diff: dict[str, Any] = {
        "node": first.node,
        **({"method": first.method} if first.method else {"topic": first.topic}),
    }
    for op in ops:
        if not isinstance(op, FieldOperation):
            return None
        side = diff.setdefault(f"{op.side}_schema", {})
        match op:
            case AddField():
                attributes = {"type": op.type, "description": op.description, "default": op.default}
                spec = {k: v for k, v in attributes.items() if v is not None}
                side.setdefault("add", {})[op.field] = {**spec, **({"optional": True} if op.optional else {})}
            case RemoveField():
                side.setdefault("remove", []).append(op.field)
            case RenameField():
                side.setdefault("rename", {})[op.field] = op.to
            case RetypeField():
                side.setdefault("retype", {})[op.field] = op.type
            case SetOptional():
                side.setdefault("optional", {})[op.field] = op.optional
            case _:
                return None
    return diff


DRY_NOTE = "dry run: written to a copy"  # in a receipt; all that tells a dry run in logs of older versions


class NegotiationLog:
    """A negotiation read back from its facts alone, whole or unfinished. Raises LogDamaged where they make no sense.

    `undone` is envelope, as times are, and set from outside: the proposals whose commits were taken back since -> when.
    """

    def __init__(self, entries: Iterable[Entry], build_id: str = "") -> None:
        self.build_id = build_id
        self.undone: Mapping[str, float | None] = {}
        self.protocol = ProposalProtocol()
        self.state: State | None = None
        self.entries: list[Entry] = []
        self.times: dict[str, float] = {}  # proposal -> when it was committed
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Take in the next fact."""
        fact = entry.event
        if self.state is None and isinstance(fact, e.NegotiationOpened):
            self.state = self.protocol.open(ProposalConfig.from_opened(fact))
        if self.state is not None and type(fact) is not AnswerRefused:
            self.protocol.evolve(self.state, fact)
        if isinstance(fact, e.ProposalCommitted) and entry.at is not None:
            self.times[fact.proposal_id] = entry.at
        self.entries.append(entry)

    @property
    def fates(self) -> list[ProposalFate]:
        """Every proposal as it stands, in the order in which they got their ids."""
        return [] if self.state is None else [build_fate(r) for r in self.state.queue.records.values()]

    @property
    def committed_ids(self) -> list[str]:
        """The proposals that were committed."""
        return [f.proposal_id for f in self.fates if f.outcome == Outcome.COMMITTED]

    @property
    def dry_run(self) -> bool:
        """Whether nothing that was committed here was ever in the project's files."""
        return self.state is not None and is_dry(self.state)

    def to_dict(self) -> dict[str, Any]:
        """The projection."""
        if self.state is None:
            return {"build_id": self.build_id, "agents": [], "rounds_completed": 0, "total_proposals": 0, "rounds": []}
        projection = render_negotiation(self.state, self.build_id, self._started_at(), self.times)
        for proposal in (p for r in projection["rounds"] for p in r["proposals"]):
            if proposal["id"] in self.undone and proposal["outcome"] == Outcome.COMMITTED:
                proposal["undone"] = {"at": _format_time(self.undone[proposal["id"]])}
        return projection

    def _started_at(self) -> float | None:
        return self.entries[0].at if self.entries else None


def is_dry(state: State) -> bool:
    """Whether this is a dry run: its commits went to a copy that was thrown away."""
    receipts = (r.receipt for r in state.queue.records.values())
    return state.config.dry_run or any(DRY_NOTE in receipt.get("notes", ()) for receipt in receipts)


def render_negotiation(
    state: State, build_id: str = "", started_at: float | None = None, times: Mapping[str, float] | None = None
) -> dict[str, Any]:
    """A state as `negotiation_log.json` has it."""
    times = times or {}
    fates = [build_fate(r) for r in state.queue.records.values()]
    tabled = [f for f in fates if f.outcome not in (Outcome.DROPPED, "queued") and f.computed]
    counts = {o.value: sum(f.outcome == o.value for f in fates) for o in Outcome}
    numbers = dict.fromkeys(range(1, state.round + 1))
    ended = state.ended
    dry = is_dry(state)
    rendered = [(f, _render_proposal(f, times, dry)) for f in fates]
    return {
        "build_id": build_id,
        "started_at": _format_time(started_at),
        "agents": list(state.proposers),
        "arbiters": list(state.router.arbiters),
        "intent": state.config.intent,
        "goals": list(state.config.goals),
        "status": "ended" if ended else "unfinished",
        "dry_run": dry,
        "ended": {"reason": ended.reason, "why": ended.why} if ended else None,
        "rounds_completed": ended.rounds if ended else max(0, state.round - 1),
        "total_proposals": len(tabled),
        "committed": counts["committed"],
        "rejected": counts["rejected"],
        "deferred": counts["deferred"],
        "superseded": counts["superseded"],
        "commit_failed": counts["commit_failed"],
        "withdrawn": counts["withdrawn"],
        "dropped": counts["dropped"],
        "unheard": counts["unheard"],
        "rounds": [{"round": n, "proposals": [entry for f, entry in rendered if f.round == n]} for n in numbers],
        "unheard_proposals": [entry for f, entry in rendered if f.outcome == Outcome.UNHEARD],
        "net_changes": count_net_changes(fates),
        "mismatches_left": [m.to_dict() for m in state.ground.mismatches],
        "questions": [dict(q) for q in state.questions.values()],
        "left": [dict(gap) for gap in state.left.values()],
    }


def _render_proposal(f: ProposalFate, times: Mapping[str, float], dry: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": f.proposal_id,
        "proposer": f.proposer,
        "type": f.type,
        "summary": f.proposal.get("summary", ""),
        "rationale": f.proposal.get("rationale", ""),
        "confidence": f.proposal.get("confidence"),
        "affected_agents": list(f.proposal.get("affected_agents", ())),
        "evaluations": [_render_evaluation(v) for v in f.evaluations],
        "outcome": f.outcome,
    }
    if f.files:
        entry["files_changed"] = list(f.files)
    ops = parse_operations(f.diff)
    entry["diff"] = [dict(op) for op in f.diff]
    if (short := build_nested_diff(ops)) is not None:
        entry["diff_nested"] = short
    entry |= {"label": f.proposal.get("type"), "decided_by": find_decider(f), "why": f.why}
    if f.gates or f.failed_gate:
        failed = {"gate": f.failed_gate, "reason": f.why} if f.failed_gate else None
        entry["gates"] = {"passed": list(f.gates), "failed": failed}
        if f.ends:
            entry["gates"]["ends"] = [dict(end) for end in f.ends]
    if f.proposal.get("answers_to"):
        entry |= {"answers_to": f.proposal["answers_to"], "origin": f.origin}
    if f.computed:
        entry |= {k: f.computed.get(k, []) for k in ("affected", "changes", "breaks", "fixes")}
        entry |= {k: f.computed[k] for k in ("left", "unsent", "never_sent") if f.computed.get(k)}
    entry |= name_people(f)
    if f.ruling is not None:
        entry["arbitration"] = {
            "arbiter": f.arbiter,
            "proposal_id": f.proposal_id,
            "decision": f.ruling["decision"],
            "ruling": f.ruling["ruling"],
            "committed_diff": list(f.ruling["committed_diff"]),
            "deferred_proposals": [*f.ruling["notes"], *(p["summary"] for p in f.ruling["deferred"])],
        }
    if f.outcome == Outcome.COMMITTED:
        entry |= {
            "commit_id": f.commit_id,
            "committed_at": _format_time(times.get(f.proposal_id)),
            "unified_diff": f.receipt.get("unified_diff", ""),
            "schema_changes": [dict(c) for c in f.schema_changes],
        }
        if dry:
            entry["dry_run"] = True
    return entry


def name_people(f: ProposalFate) -> dict[str, Any]:
    """The person whose proposal it is, and the one who approved its commit; nothing where there was none."""
    approved = {"approved": dict(f.approval)} if f.approval else {}
    return {**({"proposed_by": f.proposed_by} if f.proposed_by else {}), **approved}


def find_decider(f: ProposalFate) -> str:
    """Who or what decided: the kind of consensus where it was, or is to be, committed; else who or what refused it."""
    agreed = (Stage.AGREED, Stage.PREPARED, Stage.APPROVED, Stage.COMMITTED)
    return f.consensus if f.outcome in agreed else f.by


def _render_evaluation(evaluation: Mapping[str, Any]) -> dict[str, Any]:
    entry = {
        "agent": evaluation["agent"],
        "decision": evaluation["decision"] or "silent",
        "reasoning": evaluation.get("reasoning", ""),
    }
    for name in ("confidence", "concerns", "suggestions", "counter_proposal"):
        if evaluation.get(name):
            entry[name] = evaluation[name]
    return entry


def count_net_changes(fates: Iterable[ProposalFate]) -> dict[str, int]:
    """What it all came to. `files_modified` counts distinct files; `fields_added` method-side-field triples."""
    committed = [f for f in fates if f.outcome == Outcome.COMMITTED]
    return {
        "files_modified": len({path for f in committed for path in f.files}),
        "fields_added": len({a for f in committed for a in list_added_fields(parse_operations(f.diff))}),
        "logic_improvements": sum(f.type == ProposalType.LOGIC_IMPROVEMENT for f in committed),
        "breaking_changes_rejected": sum(
            f.outcome == Outcome.REJECTED and f.type == ProposalType.BREAKING_CHANGE for f in fates
        ),
    }


def list_added_fields(ops: Iterable[Operation]) -> list[str]:
    """The addresses (method, side, field) that a diff adds."""
    return [op.address for op in ops if isinstance(op, AddField)]


def _format_time(timestamp: float | None) -> str | None:
    return (
        None
        if timestamp is None
        else datetime.fromtimestamp(timestamp, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    )
