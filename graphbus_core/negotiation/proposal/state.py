"""The state of a proposal negotiation: the ground, the proposals' records, the queue, the agenda of the phase.

A state belongs to one session and is changed by `evolve` alone. What happens next stands in two places: `todo`, the
consequences that are due, and `agenda` with its `cursor`, the questions or effects of the phase in canonical order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.model.operation import Operation, parse_operations
from graphbus_core.negotiation.proposal.config import ProposalConfig
from graphbus_core.negotiation.proposal.evaluation import ArbiterRouter, EvaluationCollector
from graphbus_core.negotiation.proposal.project_view import ProjectView
from graphbus_core.negotiation.proposal.transitions import OPEN_STAGES, Phase, Stage
from graphbus_core.negotiation.proposal.vocabulary import (
    CommitRecord,
    NegotiationOutcome,
    ProposalFate,
    SchemaChange,
)

HISTORY_MAX = 50  # entries of an agent's own history that it is shown
FATES_MAX = 200  # entries of the whole history that an arbiter is shown


class ProposalRecord:
    """One proposal's life: what was proposed, what the engine found, who said what, what became of it."""

    def __init__(self, proposal_id: str, proposer: str, round: int, proposal: Mapping[str, Any]) -> None:
        self.proposal_id = proposal_id
        self.proposer = proposer
        self.round = round
        self.proposal = proposal
        self.stage = Stage.NEW
        self.computed: Mapping[str, Any] = {}
        self.collector = EvaluationCollector((), ())
        self.version = 0  # of the ground that `computed` speaks of
        self.base: Mapping[str, str] = {}
        self.diff: list[Mapping[str, Any]] = list(proposal.get("diff", ()))  # what would be committed
        self.consensus = ""
        self.why = ""
        self.by = ""
        self.origin = ""
        self.ruling: Mapping[str, Any] | None = None
        self.arbiter: str | None = None
        self.lost_to: int | None = None  # the case of the conflict that it lost, agreed as it was
        self.receipt: Mapping[str, Any] = {}
        self.prepared: Mapping[str, Any] = {}
        self.approval: Mapping[str, Any] = {}  # the person who approved its commit, and why: "by", "reason"
        self.gates: tuple[str, ...] = ()  # passed, in their order
        self.ends: tuple[Mapping[str, Any], ...] = ()  # how each gate ended that was asked: {"gate", "end", "why"}
        self.commit_id = ""
        self.schema_changes: tuple[Mapping[str, Any], ...] = ()
        self._operations: tuple[Operation, ...] | None = None

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The diff that would be committed, read."""
        if self._operations is None:
            self._operations = parse_operations(self.diff)
        return self._operations

    def replace_diff(self, diff: list[Mapping[str, Any]]) -> None:
        """What an arbiter commits instead."""
        self.diff = diff
        self._operations = None

    @property
    def audience(self) -> tuple[str, ...]:
        """Who may know of it: its proposer and its evaluators."""
        return (self.proposer, *self.collector.evaluators)

    @property
    def files(self) -> list[str]:
        """The files that its commit changed: those of its operations in their order, then what followed."""
        changed = list(self.receipt.get("files", ()))
        declared = [f for f in self.computed.get("files", ()) if f in changed]
        return list(dict.fromkeys([*declared, *changed]))


class ProposalQueue:
    """All proposals: those of this round in order, and those that wait for the next (seed 000)."""

    def __init__(self) -> None:
        self.records: dict[str, ProposalRecord] = {}
        self.waiting: list[str] = []  # queued for the next round
        self.on_table: list[str] = []  # of this round, in order
        self.carried: list[str] = []  # deferred, open from the round before
        self.charged: dict[str, int] = {}  # proposals against an author's total
        self.this_round: dict[str, int] = {}  # proposals of an author on the table this round, answers not counted
        self.named: dict[str, int] = {}  # ids given, by author

    def __getitem__(self, proposal_id: str) -> ProposalRecord:
        return self.records[proposal_id]

    def list_open(self) -> list[ProposalRecord]:
        """What is on the table and undecided."""
        return [self.records[p] for p in self.on_table if self.records[p].stage in OPEN_STAGES]

    def list_at_stages(self, *stages: Stage) -> list[ProposalRecord]:
        """This round's proposals that stand at one of these stages, in order."""
        return [self.records[p] for p in self.on_table if self.records[p].stage in stages]


@dataclass
class State:
    """Everything that `pending` and `advance` need to know."""

    config: ProposalConfig
    ground: ProjectView
    router: ArbiterRouter
    proposers: tuple[str, ...]
    start: str = ""
    phase: Phase = Phase.START
    facts: int = 0  # folded so far
    pin: int = 0  # facts when the phase's questions were put together
    round: int = 0
    quiet_rounds: int = 0
    queue: ProposalQueue = field(default_factory=ProposalQueue)
    agenda: list[tuple[Any, ...]] = field(default_factory=list)
    cursor: int = 0
    tallied: int = 0  # of `queue.on_table`, in the evaluation that is over
    todo: deque[tuple[Any, ...]] = field(default_factory=deque)
    cases: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    tried: dict[int, list[str]] = field(default_factory=dict)  # case -> arbiters that were silent
    asked: dict[tuple[str, str], int] = field(default_factory=dict)  # (kind, agent) -> questions so far
    history: dict[str, list[tuple[int, dict[str, Any]]]] = field(default_factory=dict)
    fates: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    files: dict[str, str | None] = field(default_factory=dict)  # changed files -> digest now
    silent: dict[str, None] = field(default_factory=dict)  # proposers without a usable answer, in order
    questions: dict[str, dict[str, Any]] = field(default_factory=dict)  # id -> question, with its answer
    left: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)  # (link, field) -> why nothing
    stop: str | None = None
    stopped_by: str = ""
    finishing: bool = False  # a stop was asked for while an effect may be under way
    ended: NegotiationOutcome | None = None
    vetted: tuple[str, int, Any] | None = None  # memory of the last vetting: proposal, facts, finding

    def select_history(self, agent: str) -> list[dict[str, Any]]:
        """What became of an agent's proposals and evaluations, as it was when the phase began."""
        return _cut_at_pin(self.history.get(agent), self.pin, HISTORY_MAX)

    def select_fates(self) -> list[dict[str, Any]]:
        """What became of every proposal, as it was when the phase began: the arbiter's history."""
        return _cut_at_pin(self.fates, self.pin, FATES_MAX)

    def count_question(self, kind: str, agent: str) -> int:
        """Which question of its kind this is to this agent, from 1; counts it."""
        nth = self.asked[kind, agent] = self.asked.get((kind, agent), 0) + 1
        return nth


def _cut_at_pin(rows: list[tuple[int, dict[str, Any]]] | None, pin: int, most: int) -> list[dict[str, Any]]:
    if not rows:
        return []
    end = len(rows) if rows[-1][0] <= pin else bisect_right(rows, pin, key=lambda row: row[0])
    return [entry for _, entry in rows[max(0, end - most) : end]]


# How a proposal negotiation ended, and what one agent remembers of it. Views of the records; nothing decides here.


def build_fate(record: ProposalRecord) -> ProposalFate:
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
        evaluations=tuple(list_evaluations(record)),
        consensus=record.consensus,
        arbiter=record.arbiter,
        ruling=record.ruling,
        origin=record.origin,
        diff=tuple(record.diff),
        files=tuple(record.files),
        receipt=record.receipt,
        schema_changes=record.schema_changes,
        commit_id=record.commit_id,
        approval=record.approval,
        gates=record.gates,
        ends=record.ends,
    )


def list_evaluations(record: ProposalRecord) -> list[dict[str, Any]]:
    """What its evaluators said, in their order; a silent one has the decision None."""
    entries: list[dict[str, Any]] = []
    for name in record.collector.evaluators:
        if name in record.collector.evaluations:
            entries.append({"agent": name, **record.collector.evaluations[name]})
        if name in record.collector.silent:
            entries.append({"agent": name, "decision": None, "reasoning": record.collector.silent[name]})
    return entries


def build_outcome(
    state: State, reason: str, why: str, unheard: tuple[str, ...], deferred: tuple[str, ...]
) -> NegotiationOutcome:
    """The outcome of a state whose last fact has been folded."""
    records = list(state.queue.records.values())
    return NegotiationOutcome(
        reason=reason,
        why=why,
        rounds=state.round,
        proposals=tuple(build_fate(r) for r in records),
        commits=tuple(build_commit_record(r) for r in records if r.stage is Stage.COMMITTED),
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


def build_commit_record(record: ProposalRecord, timestamp: float = 0.0) -> CommitRecord:
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
            *({"kind": "evaluation", **e} for e in list_evaluations(record)),
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
    def from_state(cls, state: State, agent: str) -> NodeMemory:
        """The memory of `agent` as the negotiation stands."""
        mine = [r for r in state.queue.records.values() if r.proposer == agent]
        return cls(
            state={"round": state.round, "phase": state.phase.value, "proposals_made": len(mine)},
            history=[entry for _, entry in state.history.get(agent, ())],
            code_understanding=dict(state.ground.card(agent, own=True)) if agent in state.ground.agents else {},
            pending_proposals=[r.proposal_id for r in mine if r.stage in OPEN_STAGES | {Stage.QUEUED, Stage.DEFERRED}],
        )
