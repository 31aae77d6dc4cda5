"""The words of the proposal negotiation: what is said in it, in one record each (seed 000; seed 002 §2.7).

The canonical diff is a list of operations (`model.operation`). The seeds' other spellings are read as synonyms by
`negotiation.proposal.forms`. All of these are plain data; the rules stand in `rules`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Link, Mismatch
from graphbus_core.model.operation import Operation, parse_operations


class Decision(StrEnum):
    """What an evaluator says (design §6.1)."""

    ACCEPT = "accept"
    ACCEPT_WITH_MODIFICATION = "accept_with_modification"  # accept, and queue the counter-proposal
    COUNTER = "counter"  # reject, and queue the counter-proposal
    REJECT = "reject"
    DEFER = "defer"  # ask me again next round


class Ruling(StrEnum):
    """What an arbiter says (seed 000, "The arbiter agent")."""

    ACCEPT = "accept"
    ACCEPT_MODIFIED = "accept_modified"
    REJECT = "reject"
    SPLIT = "split"


class ProposalType(StrEnum):
    """The class of a proposal, laxest first. The engine computes it; the label is a claim (design §6.3)."""

    LOGIC_IMPROVEMENT = "logic_improvement"
    SCHEMA_EXTENSION = "schema_extension"
    BREAKING_CHANGE = "breaking_change"


class ProposalOutcome(StrEnum):
    """What became of a proposal."""

    COMMITTED = "committed"
    REJECTED = "rejected"
    DEFERRED = "deferred"
    SUPERSEDED = "superseded"  # its ground moved under it
    COMMIT_FAILED = "commit_failed"  # a gate refused it; the files are as before
    WITHDRAWN = "withdrawn"  # a person did not approve the commit
    DROPPED = "dropped"  # a bound kept it off the table, or its diff fits nothing
    UNHEARD = "unheard"  # still queued when the last round ended


@dataclass(frozen=True)
class Proposal:
    """A structured diff with its reasons."""

    proposal_id: str
    proposer: str
    round: int
    type: str  # the proposer's label
    operations: tuple[Operation, ...]
    summary: str = ""
    rationale: str = ""
    affected_agents: tuple[str, ...] = ()
    confidence: float = 0.5
    intent: str = ""
    dependencies: tuple[str, ...] = ()
    priority: int = 0
    answers_to: str | None = None  # the proposal that this one counters, modifies or was split from
    depth: int = 0  # how many such steps lie behind it
    base: Mapping[str, str] = field(default_factory=dict)  # symbol -> digest, as the proposer saw it

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols that it touches, in order, each once."""
        return tuple(dict.fromkeys(op.symbol for op in self.operations))

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes that it touches, in order, each once."""
        return tuple(dict.fromkeys(op.node for op in self.operations))

    def to_dict(self) -> dict[str, Any]:
        """The canonical JSON form; the diff is a list of operations."""
        return {
            "proposal_id": self.proposal_id,
            "proposer": self.proposer,
            "round": self.round,
            "type": self.type,
            "diff": [op.to_dict() for op in self.operations],
            "summary": self.summary,
            "rationale": self.rationale,
            "affected_agents": list(self.affected_agents),
            "confidence": self.confidence,
            "intent": self.intent,
            "dependencies": list(self.dependencies),
            "priority": self.priority,
            "answers_to": self.answers_to,
            "depth": self.depth,
            "base": dict(self.base),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Proposal:
        """Inverse of `to_dict`. Raises UsageError for a diff that is not one."""
        return cls(
            proposal_id=data["proposal_id"],
            proposer=data["proposer"],
            round=data["round"],
            type=data["type"],
            operations=parse_operations(data["diff"]),
            summary=data.get("summary", ""),
            rationale=data.get("rationale", ""),
            affected_agents=tuple(data.get("affected_agents", ())),
            confidence=data.get("confidence", 0.5),
            intent=data.get("intent", ""),
            dependencies=tuple(data.get("dependencies", ())),
            priority=data.get("priority", 0),
            answers_to=data.get("answers_to"),
            depth=data.get("depth", 0),
            base=dict(data.get("base", {})),
        )


@dataclass(frozen=True)
class ProposalEvaluation:
    """One evaluator's answer to one proposal."""

    proposal_id: str
    evaluator: str
    round: int
    decision: Decision
    reasoning: str = ""
    confidence: float = 0.5
    concerns: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    counter_proposal: Mapping[str, Any] | None = None  # a proposal's body: diff, type, rationale …
    impact_assessment: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ArbiterDecision:
    """A binding ruling with its full explanation."""

    arbiter: str
    proposal_id: str
    decision: Ruling
    ruling: str = ""
    committed_operations: tuple[Operation, ...] = ()  # accept_modified and split: what is committed instead
    deferred_proposals: tuple[Mapping[str, Any], ...] = ()  # split: what comes back in the next round


@dataclass(frozen=True)
class SchemaChange:
    """One contract that a commit changed: before and after, as JSON Schema."""

    symbol: str
    side: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None
    changes: tuple[Mapping[str, Any], ...] = ()  # `contracts.changes`, as dictionaries


@dataclass(frozen=True)
class CommitRecord:
    """What was committed and how it was agreed (seed 002 §2.7)."""

    commit_id: str
    proposal_id: str
    round: int
    proposer: str
    evaluators: tuple[str, ...]
    consensus_type: str  # unanimous | majority | arbiter | gates
    resolution: Mapping[str, Any]  # {"diff": [operation …]}
    files_modified: tuple[str, ...]
    schema_changes: tuple[SchemaChange, ...]
    timestamp: float  # envelope
    negotiation_log: tuple[Mapping[str, Any], ...]


# How a proposal negotiation ends, in plain data: what became of each proposal, and of all of them.
#
# Below state and rules, so that the state may hold an outcome; `machine.outcome` makes one from the state's records.


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
    approval: Mapping[str, Any] = field(default_factory=dict)  # "by" and "reason", where a person approved its commit

    @property
    def proposed_by(self) -> str:
        """The person whose proposal it is, where an agent tabled it for one; else nothing."""
        return str(self.proposal.get("proposed_by", ""))

    @property
    def failed_gate(self) -> str:
        """The gate that refused its commit, or nothing."""
        return self.by if self.outcome == ProposalOutcome.COMMIT_FAILED.value else ""

    @property
    def type(self) -> str:
        """Its class: the stricter of label and computed."""
        return str(self.computed.get("type") or self.proposal.get("type") or "")

    def list_evaluations(self) -> tuple[ProposalEvaluation, ...]:
        """Its evaluations as records; who was silent is left out."""
        return tuple(
            ProposalEvaluation(
                proposal_id=self.proposal_id,
                evaluator=evaluation["agent"],
                round=self.round,
                decision=Decision(evaluation["decision"]),
                reasoning=evaluation["reasoning"],
                confidence=evaluation["confidence"],
                concerns=tuple(evaluation["concerns"]),
                suggestions=tuple(evaluation["suggestions"]),
                counter_proposal=evaluation["counter_proposal"],
                impact_assessment=evaluation["impact_assessment"],
            )
            for evaluation in self.evaluations
            if evaluation["decision"] is not None
        )

    def build_decision(self) -> ArbiterDecision | None:
        """The ruling as a record, where there was one."""
        if self.ruling is None or self.arbiter is None:
            return None
        return ArbiterDecision(
            arbiter=self.arbiter,
            proposal_id=self.proposal_id,
            decision=Ruling(self.ruling["decision"]),
            ruling=self.ruling["ruling"],
            committed_operations=parse_operations(self.ruling["committed_diff"]),
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

    def select_by_outcome(self, outcome: str) -> tuple[ProposalFate, ...]:
        """The proposals that ended so."""
        return tuple(p for p in self.proposals if p.outcome == outcome)
