"""The rules as two tables: which fact leads from which phase of a round, and from which stage of a proposal, to which.

They are the machine itself: `evolve` looks every fact up in them, and the diagrams in the documentation are drawn
from them (`python -m graphbus_core.negotiation.proposal.transitions`).
"""

# Theory of operation
# -------------------
#
# A proposal negotiation is a number of rounds, at most as many as the bounds allow. A round has four phases, and each
# is an agenda with a cursor: who must answer what, in which order. Everybody on the agenda is asked at once; the
# answers are settled in the order of the agenda, whatever order they arrive in. That is why the log is the same for the
# same answers, and why nothing here needs a clock.
#
#     between rounds ──> proposing ──> evaluating ──> ruling ──> committing ──> between rounds
#                            │             │            │                            │
#                            └── nothing on the table ──┴── nothing agreed ──────────┘
#
# A phase that has nothing to do is left out: with nothing in conflict, evaluating leads to committing at once.
#
# Why two tables. A round and a proposal live at different speeds. A proposal may outlive its round (it is deferred, or
# a counter-proposal waits for the next one), and a round may see twenty proposals end in twenty ways. Kept as one
# machine, every pair would need an arrow; kept as two, there are fifteen of the one and thirty-one of the other, and a
# reader can check them one by one.
#
# Who moves whom. Facts move both machines, and nothing else does. The protocol writes a fact (rules.py what somebody
# answered, consequences.py what follows from it); fold.py looks it up here: PHASES says where the round goes, STAGES
# where the proposal goes that it names. A row that is missing cannot happen: in our own code that is a bug, in a log
# from the disk it is damage, and both raise. So the table is the specification, the implementation, and the check of
# every log that is read.
#
# The life of a proposal, in the words of seed 000:
#
#     new ──> tabled ──┬──> agreed ──> prepared ──> approved ──> committed
#                      │       │          │            │
#                      │       │          │            └──> commit_failed   a gate said no, the files are as before
#                      │       │          └───────────────> withdrawn      a person said no
#                      │       ├──────────────────────────> superseded     its ground moved under it
#                      │       └──────────────────────────> rejected       another won the conflict, or it needed one
#                      │                                                    that was not committed
#                      ├──> contested ──> agreed | rejected                 the arbiter's ruling
#                      ├──> rejected                                        its evaluators said no
#                      ├──> deferred ──> tabled | superseded                asked again next round, if its ground stands
#                      └──> unheard                                         the negotiation ended first
#
# `agreed` has an arrow to itself: of several that conflict, an arbiter chooses one, and it is agreed a second time,
# with another voice behind it. `prepared` and `approved` are there because a person may be asked between the gates and
# the write; without a person the road goes from agreed to committed in one step, and the gates run all the same.
#
# Two stages and one arrow are not in the picture, because most proposals never see them. `queued`: a counter-proposal,
# a modification or a deferred part came up in the middle of a round, whose agenda stands already; it waits for the
# next. `dropped`: a bound, or a ground that it no longer fits, kept it off the table, so nobody was asked. And a
# rejected one may be heard again: it lost a conflict whose winner fell, so the reason against it is gone.
#
# Reading the tables. A row is (where it stands, the fact) -> where it goes. Many facts turn nothing (an evaluation, a
# silence): those are in neither table, and leave everything as it is. A fact that stands in a table, but not with this
# phase or stage, is refused.
#
# Why conflicts are components and not pairs (design §2, trap 2). With p-q and q-r in conflict, choosing q must not free
# p and r against each other by accident. Conflicts are therefore the connected components of "touches the same field
# differently", each has one winner at most, and what an arbiter changed is checked against the others again before it
# lands. A winner may fall on its way to the files. Then the first that lost to it, and that its evaluators had agreed
# to, is heard again in the same round: the conflict was all that spoke against it, and it costs nobody a question.
#
# Why the ground moves (design §6.5). Each proposal carries the digests of the symbols that it touches. When a commit of
# the same round has changed one of them, the proposal was agreed about code that is gone. It is not force-fitted: it is
# superseded, and its proposer is told. Digests are per symbol, so agents that share a file do not stand in each other's
# way.
#
# Why silence is a fact. An agent that gives no usable answer is recorded as silent, with the reason. Silence is never a
# yes: a breaking change falls. Any other needs at least one real accept by somebody affected, and a proof by the engine
# that the silent agent's contracts still hold; without that proof it goes to an arbiter (design §6.7;
# proposal/evaluation.py).
#
# Why it ends. Every loop is bounded: rounds, proposals an agent may make, how deep a chain of answers may go, how often
# a deferred proposal is asked again, files that may change. A bound that is reached is a fact with its name, never a
# silence in the log (design §2, trap 12). `NegotiationEnded` may follow any phase but the first, because a person may
# press Ctrl-C, and a budget may be spent, at any time.

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from graphbus_core.errors import LogDamaged
from graphbus_core.negotiation.proposal import events as e


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
    (Stage.REJECTED, e.ProposalHeardAgain.kind): Stage.AGREED,  # it lost a conflict whose winner fell
    (Stage.PREPARED, e.CommitApproved.kind): Stage.APPROVED,
    (Stage.PREPARED, e.ProposalWithdrawn.kind): Stage.WITHDRAWN,
    (Stage.PREPARED, e.NegotiationEnded.kind): Stage.UNHEARD,
    (Stage.APPROVED, e.ProposalCommitted.kind): Stage.COMMITTED,
    (Stage.APPROVED, e.CommitFailed.kind): Stage.COMMIT_FAILED,
    (Stage.APPROVED, e.ProposalSuperseded.kind): Stage.SUPERSEDED,
    (Stage.APPROVED, e.NegotiationEnded.kind): Stage.UNHEARD,
}

OPEN_STAGES = frozenset({Stage.TABLED, Stage.CONTESTED, Stage.AGREED, Stage.PREPARED, Stage.APPROVED})


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


def draw_diagram(table: Mapping[tuple[Any, str], Any]) -> str:
    """A table as a Mermaid state diagram."""
    rows: dict[tuple[str, str], list[str]] = {}
    for (start, kind), end in table.items():
        rows.setdefault((start.value, end.value), []).append(kind)
    lines = ["stateDiagram-v2"]
    starts = {start for start, _ in rows}
    lines += [f"    {start} --> {end}: {', '.join(kinds)}" for (start, end), kinds in rows.items()]
    may_end = {Stage.REJECTED.value}  # most rejected proposals stay so; one that lost a conflict may be heard again
    ends = dict.fromkeys(end for _, end in rows if end not in starts or end in may_end)
    return "\n".join([*lines, *(f"    {end} --> [*]" for end in ends)])


if __name__ == "__main__":
    print(draw_diagram(PHASES))
    print()
    print(draw_diagram(STAGES))
