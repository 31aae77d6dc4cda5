"""How a proposal negotiation ended, and what one agent remembers of it. Views of the records; nothing decides here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Link, Mismatch
from graphbus_core.model.operation import operations
from graphbus_core.negotiation.proposal.machine.life import OPEN, Stage
from graphbus_core.negotiation.proposal.machine.state import Record, State
from graphbus_core.negotiation.proposal.vocabulary import (
    ArbiterDecision,
    CommitRecord,
    Decision,
    ProposalEvaluation,
    Ruling,
    SchemaChange,
)


@dataclass(frozen=True)
class ProposalFate:
    """What became of one proposal, with everything that led there."""

    proposal_id: str
    proposer: str
    round: int
    outcome: str  # a value of ProposalOutcome
    why: str
    by: str
    proposal: Mapping[str, Any]
    computed: Mapping[str, Any]
    evaluators: tuple[str, ...]
    evaluations: tuple[Mapping[str, Any], ...]  # {"agent", "decision", "reasoning", …}; silence has no decision
    consensus: str = ""
    arbiter: str | None = None
    ruling: Mapping[str, Any] | None = None
    origin: str = ""  # counter | modification | deferred, where it answers another
    diff: tuple[Mapping[str, Any], ...] = ()  # what was or would have been committed
    files: tuple[str, ...] = ()
    receipt: Mapping[str, Any] = field(default_factory=dict)
    schema_changes: tuple[Mapping[str, Any], ...] = ()
    commit_id: str = ""
    gates: tuple[str, ...] = ()  # passed, in their order; which one failed stands in `failed_gate`
    ends: tuple[Mapping[str, Any], ...] = ()  # how each gate ended that was asked; empty in older logs

    @property
    def failed_gate(self) -> str:
        """The gate that refused its commit, or nothing."""
        return self.by if self.outcome == Stage.COMMIT_FAILED.value else ""

    @property
    def type(self) -> str:
        """Its class: the stricter of label and computed."""
        return str(self.computed.get("type") or self.proposal.get("type") or "")

    def said(self) -> tuple[ProposalEvaluation, ...]:
        """Its evaluations as records; who was silent is left out."""
        return tuple(
            ProposalEvaluation(
                proposal_id=self.proposal_id,
                evaluator=said["agent"],
                round=self.round,
                decision=Decision(said["decision"]),
                reasoning=said["reasoning"],
                confidence=said["confidence"],
                concerns=tuple(said["concerns"]),
                suggestions=tuple(said["suggestions"]),
                counter_proposal=said["counter_proposal"],
                impact_assessment=said["impact_assessment"],
            )
            for said in self.evaluations
            if said["decision"] is not None
        )

    def decided(self) -> ArbiterDecision | None:
        """The ruling as a record, where there was one."""
        if self.ruling is None or self.arbiter is None:
            return None
        return ArbiterDecision(
            arbiter=self.arbiter,
            proposal_id=self.proposal_id,
            decision=Ruling(self.ruling["decision"]),
            ruling=self.ruling["ruling"],
            committed_operations=operations(self.ruling["committed_diff"]),
            deferred_proposals=tuple(self.ruling["deferred"]),
        )


@dataclass(frozen=True)
class NegotiationOutcome:
    """How it ended. `reason`: converged, rounds, nothing_left, file_changes or stopped."""

    reason: str
    why: str
    rounds: int
    proposals: tuple[ProposalFate, ...]  # in the order in which they got their ids
    commits: tuple[CommitRecord, ...]
    unheard: tuple[str, ...]
    deferred: tuple[str, ...]
    agents: tuple[AgentDefinition, ...]
    links: tuple[Link, ...]
    mismatches: tuple[Mismatch, ...]
    files: Mapping[str, str | None]  # changed files -> their digest now
    silent: tuple[str, ...] = ()  # who gave no usable answer when asked to propose, each once

    @property
    def modified_files(self) -> tuple[str, ...]:
        """Distinct files that commits changed, in the order of the commits."""
        return tuple(self.files)

    def with_outcome(self, outcome: str) -> tuple[ProposalFate, ...]:
        """The proposals that ended so."""
        return tuple(p for p in self.proposals if p.outcome == outcome)


def fate(record: Record) -> ProposalFate:
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


def evaluations(record: Record) -> list[dict[str, Any]]:
    """What its evaluators said, in their order; a silent one has the decision None."""
    said: list[dict[str, Any]] = []
    for name in record.collector.evaluators:
        if name in record.collector.evaluations:
            said.append({"agent": name, **record.collector.evaluations[name]})
        if name in record.collector.silent:
            said.append({"agent": name, "decision": None, "reasoning": record.collector.silent[name]})
    return said


def outcome_of(state: State, reason: str, why: str, unheard: tuple[str, ...], deferred: tuple[str, ...]) -> Any:
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
    )


def commit_record(record: Record, timestamp: float = 0.0) -> CommitRecord:
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
