"""The rules as two tables: which fact leads from which phase of a round, and from which stage of a proposal, to which.

They are the machine itself: `evolve` looks every fact up in them, and the diagrams in the documentation are drawn
from them (`python -m graphbus_core.negotiation.proposal.machine.life`).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from graphbus_core.errors import LogDamaged
from graphbus_core.negotiation.proposal.said import events as e


class Phase(StrEnum):
    """Where a round stands (seed 000, "The core loop: four phases")."""

    START = "start"
    BETWEEN = "between_rounds"
    PROPOSING = "proposing"
    EVALUATING = "evaluating"
    RULING = "ruling"
    COMMITTING = "committing"
    ENDED = "ended"


class Stage(StrEnum):
    """Where a proposal stands. The values that end it are those of `ProposalOutcome`."""

    NEW = "new"
    QUEUED = "queued"
    TABLED = "tabled"
    DEFERRED = "deferred"
    CONTESTED = "contested"
    AGREED = "agreed"
    PREPARED = "prepared"
    APPROVED = "approved"
    COMMITTED = "committed"
    REJECTED = "rejected"
    DROPPED = "dropped"
    SUPERSEDED = "superseded"
    COMMIT_FAILED = "commit_failed"
    WITHDRAWN = "withdrawn"
    UNHEARD = "unheard"


PHASES: Mapping[tuple[Phase, str], Phase] = {
    (Phase.START, e.NegotiationOpened.kind): Phase.BETWEEN,
    (Phase.BETWEEN, e.RoundStarted.kind): Phase.PROPOSING,
    (Phase.PROPOSING, e.EvaluationOpened.kind): Phase.EVALUATING,
    (Phase.PROPOSING, e.RoundClosed.kind): Phase.BETWEEN,
    (Phase.EVALUATING, e.ArbitrationOpened.kind): Phase.RULING,
    (Phase.EVALUATING, e.CommitsOpened.kind): Phase.COMMITTING,
    (Phase.EVALUATING, e.RoundClosed.kind): Phase.BETWEEN,
    (Phase.RULING, e.CommitsOpened.kind): Phase.COMMITTING,
    (Phase.RULING, e.RoundClosed.kind): Phase.BETWEEN,
    (Phase.COMMITTING, e.RoundClosed.kind): Phase.BETWEEN,
    **{(phase, e.NegotiationEnded.kind): Phase.ENDED for phase in Phase if phase not in (Phase.START, Phase.ENDED)},
}

STAGES: Mapping[tuple[Stage, str], Stage] = {
    (Stage.NEW, e.ProposalTabled.kind): Stage.TABLED,
    (Stage.NEW, e.ProposalQueued.kind): Stage.QUEUED,
    (Stage.NEW, e.ProposalDropped.kind): Stage.DROPPED,
    (Stage.QUEUED, e.ProposalTabled.kind): Stage.TABLED,
    (Stage.QUEUED, e.ProposalDropped.kind): Stage.DROPPED,
    (Stage.QUEUED, e.NegotiationEnded.kind): Stage.UNHEARD,
    (Stage.TABLED, e.ProposalAgreed.kind): Stage.AGREED,
    (Stage.TABLED, e.ProposalContested.kind): Stage.CONTESTED,
    (Stage.TABLED, e.ProposalRejected.kind): Stage.REJECTED,
    (Stage.TABLED, e.ProposalDeferred.kind): Stage.DEFERRED,
    (Stage.TABLED, e.NegotiationEnded.kind): Stage.UNHEARD,
    (Stage.DEFERRED, e.EvaluationOpened.kind): Stage.TABLED,
    (Stage.DEFERRED, e.ProposalSuperseded.kind): Stage.SUPERSEDED,
    (Stage.CONTESTED, e.ProposalAgreed.kind): Stage.AGREED,
    (Stage.CONTESTED, e.ProposalRejected.kind): Stage.REJECTED,
    (Stage.CONTESTED, e.NegotiationEnded.kind): Stage.UNHEARD,
    (Stage.AGREED, e.ProposalAgreed.kind): Stage.AGREED,  # an arbiter chose it among those in conflict
    (Stage.AGREED, e.ProposalRejected.kind): Stage.REJECTED,
    (Stage.AGREED, e.ProposalSuperseded.kind): Stage.SUPERSEDED,
    (Stage.AGREED, e.CommitPrepared.kind): Stage.PREPARED,
    (Stage.AGREED, e.ProposalCommitted.kind): Stage.COMMITTED,
    (Stage.AGREED, e.CommitFailed.kind): Stage.COMMIT_FAILED,
    (Stage.AGREED, e.NegotiationEnded.kind): Stage.UNHEARD,
    (Stage.PREPARED, e.CommitApproved.kind): Stage.APPROVED,
    (Stage.PREPARED, e.ProposalWithdrawn.kind): Stage.WITHDRAWN,
    (Stage.PREPARED, e.NegotiationEnded.kind): Stage.UNHEARD,
    (Stage.APPROVED, e.ProposalCommitted.kind): Stage.COMMITTED,
    (Stage.APPROVED, e.CommitFailed.kind): Stage.COMMIT_FAILED,
    (Stage.APPROVED, e.ProposalSuperseded.kind): Stage.SUPERSEDED,
    (Stage.APPROVED, e.NegotiationEnded.kind): Stage.UNHEARD,
}

OPEN = frozenset({Stage.TABLED, Stage.CONTESTED, Stage.AGREED, Stage.PREPARED, Stage.APPROVED})


def next_phase(phase: Phase, kind: str) -> Phase:
    """The phase after a fact; most leave it as it is. Raises LogDamaged where the fact cannot be."""
    to = PHASES.get((phase, kind))
    if to is None:
        if kind in _TURNING:
            raise LogDamaged(f"{kind} cannot happen while a negotiation is {phase.value}")
        return phase
    return to


def next_stage(stage: Stage, kind: str, proposal_id: str) -> Stage:
    """The stage that a fact leads a proposal to. Raises LogDamaged where it cannot be."""
    to = STAGES.get((stage, kind))
    if to is None:
        raise LogDamaged(f"{kind} cannot happen to {proposal_id}, which is {stage.value}")
    return to


_TURNING = frozenset(kind for _, kind in PHASES)


def diagram(table: Mapping[tuple[Any, str], Any]) -> str:
    """A table as a Mermaid state diagram."""
    rows: dict[tuple[str, str], list[str]] = {}
    for (start, kind), end in table.items():
        rows.setdefault((start.value, end.value), []).append(kind)
    lines = ["stateDiagram-v2"]
    starts = {start for start, _ in rows}
    lines += [f"    {start} --> {end}: {', '.join(kinds)}" for (start, end), kinds in rows.items()]
    ends = dict.fromkeys(end for _, end in rows if end not in starts)
    return "\n".join([*lines, *(f"    {end} --> [*]" for end in ends)])


if __name__ == "__main__":
    print(diagram(PHASES))
    print()
    print(diagram(STAGES))
