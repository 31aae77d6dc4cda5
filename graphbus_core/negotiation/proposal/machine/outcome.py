"""How a proposal negotiation ended, and what one agent remembers of it. Views of the records; nothing decides here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from graphbus_core.negotiation.proposal.machine.life import OPEN, Stage
from graphbus_core.negotiation.proposal.machine.state import ProposalRecord, State
from graphbus_core.negotiation.proposal.said.ending import NegotiationOutcome, ProposalFate
from graphbus_core.negotiation.proposal.vocabulary import (
    CommitRecord,
    SchemaChange,
)


def fate(record: ProposalRecord) -> ProposalFate:
    """A record as it stands."""
    return ProposalFate(
        proposal_id=record.proposal_id,
        proposer=record.proposer,
        round=record.round,
        outcome=record.stage.value,
        why=record.why,
        by=record.by,
        proposal=record.proposal,
        computed=record.computed,
        evaluators=record.collector.evaluators,
        evaluations=tuple(evaluations(record)),
        consensus=record.consensus,
        arbiter=record.arbiter,
        ruling=record.ruling,
        origin=record.origin,
        diff=tuple(record.diff),
        files=tuple(record.files),
        receipt=record.receipt,
        schema_changes=record.schema_changes,
        commit_id=record.commit_id,
        gates=record.gates,
        ends=record.ends,
    )


def evaluations(record: ProposalRecord) -> list[dict[str, Any]]:
    """What its evaluators said, in their order; a silent one has the decision None."""
    said: list[dict[str, Any]] = []
    for name in record.collector.evaluators:
        if name in record.collector.evaluations:
            said.append({"agent": name, **record.collector.evaluations[name]})
        if name in record.collector.silent:
            said.append({"agent": name, "decision": None, "reasoning": record.collector.silent[name]})
    return said


def outcome_of(
    state: State, reason: str, why: str, unheard: tuple[str, ...], deferred: tuple[str, ...]
) -> NegotiationOutcome:
    """The outcome of a state whose last fact has been folded."""
    records = list(state.queue.records.values())
    return NegotiationOutcome(
        reason=reason,
        why=why,
        rounds=state.round,
        proposals=tuple(fate(r) for r in records),
        commits=tuple(commit_record(r) for r in records if r.stage is Stage.COMMITTED),
        unheard=unheard,
        deferred=deferred,
        agents=tuple(state.ground.agents.values()),
        links=state.ground.links,
        mismatches=state.ground.mismatches,
        files=dict(state.files),
        silent=tuple(state.silent),
        questions=tuple(state.questions.values()),
        left=tuple(state.left.values()),
    )


def commit_record(record: ProposalRecord, timestamp: float = 0.0) -> CommitRecord:
    """A commit with the fields of seed 002 §2.7. `timestamp` is envelope: the log's, where one was kept."""
    return CommitRecord(
        commit_id=record.commit_id,
        proposal_id=record.proposal_id,
        round=record.round,
        proposer=record.proposer,
        evaluators=record.collector.evaluators,
        consensus_type=record.consensus,
        resolution={"diff": list(record.diff)},
        files_modified=tuple(record.files),
        schema_changes=tuple(
            SchemaChange(c["symbol"], c["side"], c["before"], c["after"], tuple(c["changes"]))
            for c in record.schema_changes
        ),
        timestamp=timestamp,
        negotiation_log=(
            {"kind": "proposal", "agent": record.proposer, **record.proposal},
            *({"kind": "evaluation", **e} for e in evaluations(record)),
            *([{"kind": "ruling", "agent": record.arbiter, **record.ruling}] if record.ruling else []),
        ),
    )


@dataclass
class NodeMemory:
    """What one agent carries from round to round (seed 002 §2.8): a view of the log, kept nowhere else."""

    state: dict[str, Any] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    code_understanding: dict[str, Any] = field(default_factory=dict)
    pending_proposals: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, state: State, agent: str) -> NodeMemory:
        """The memory of `agent` as the negotiation stands."""
        mine = [r for r in state.queue.records.values() if r.proposer == agent]
        return cls(
            state={"round": state.round, "phase": state.phase.value, "proposals_made": len(mine)},
            history=[entry for _, entry in state.history.get(agent, ())],
            code_understanding=dict(state.ground.card(agent, own=True)) if agent in state.ground.agents else {},
            pending_proposals=[r.proposal_id for r in mine if r.stage in OPEN | {Stage.QUEUED, Stage.DEFERRED}],
        )
