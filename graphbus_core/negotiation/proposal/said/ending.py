"""How a proposal negotiation ends, in plain data: what became of each proposal, and of all of them.

Below state and rules, so that the state may hold an outcome; `machine.outcome` makes one from the state's records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Link, Mismatch
from graphbus_core.model.operation import operations
from graphbus_core.negotiation.proposal.vocabulary import (
    ArbiterDecision,
    CommitRecord,
    Decision,
    ProposalEvaluation,
    ProposalOutcome,
    Ruling,
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
        return self.by if self.outcome == ProposalOutcome.COMMIT_FAILED.value else ""

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
    questions: tuple[Mapping[str, Any], ...] = ()  # of meaning: `choice` (None: open), and why
    left: tuple[Mapping[str, Any], ...] = ()  # fields for which nobody proposed anything: link, field, why

    @property
    def modified_files(self) -> tuple[str, ...]:
        """Distinct files that commits changed, in the order of the commits."""
        return tuple(self.files)

    def with_outcome(self, outcome: str) -> tuple[ProposalFate, ...]:
        """The proposals that ended so."""
        return tuple(p for p in self.proposals if p.outcome == outcome)
