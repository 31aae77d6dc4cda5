"""The facts of a proposal negotiation, in the past tense: what stands in its log, one a line.

Every fact says who may see it. A proposal is seen by its proposer and its evaluators and by nobody else (seed 000,
"Agents not listed as affected don't see this proposal at all"); the arbiter sees what it is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphbus_core.negotiation.core.protocol import AnswerRefused as AnswerRefused, Event, facts_of
from graphbus_core.negotiation.proposal.said.commits import (
    CommitApproved as CommitApproved,
    CommitFailed as CommitFailed,
    CommitPrepared as CommitPrepared,
    CommitsOpened as CommitsOpened,
    ProposalCommitted as ProposalCommitted,
    ProposalHeardAgain as ProposalHeardAgain,
    ProposalSuperseded as ProposalSuperseded,
    ProposalWithdrawn as ProposalWithdrawn,
)
from graphbus_core.negotiation.proposal.said.private import Data as Data, Private as Private


@dataclass(frozen=True, slots=True)
class NegotiationOpened(Event):
    """The start state, whole: what makes a log readable, and replayable, without the project beside it."""

    protocol: str
    agents: tuple[Data, ...]
    links: tuple[Data, ...]
    mismatches: tuple[Data, ...]
    files: Data  # relative path -> digest, as scanned
    safety: Data
    settings: Data  # intent, goals, human_in_loop, approver, deadlines, dry_run
    arbiters: tuple[str, ...]
    start: str  # digest of the agents: what the ids of proposals are made of

    def seen_by(self) -> tuple[str, ...] | None:
        """Nobody: an agent sees its neighbours, not the project (design §6.11)."""
        return ()


@dataclass(frozen=True, slots=True)
class RoundStarted(Event):
    """A round began: `asked` may propose, `carried` stand open from the round before."""

    round: int
    asked: tuple[str, ...]
    carried: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalsMade(Private):
    """An agent answered: what it proposes, what it cannot know, and where it proposes nothing and why."""

    round: int
    agent: str
    proposals: tuple[Data, ...]
    questions: tuple[Data, ...] = ()
    left: tuple[Data, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionSettled(Private):
    """Somebody was asked what is meant. `choice` is a candidate's name, or "none" of them; None: no answer (`why`)."""

    round: int
    question: str
    agent: str
    by: str
    choice: str | None
    why: str


@dataclass(frozen=True, slots=True)
class ProposerSilent(Private):
    """An agent gave no usable answer when asked to propose."""

    round: int
    agent: str
    why: str


@dataclass(frozen=True, slots=True)
class ProposalTabled(Private):
    """A proposal is on the table: its canonical form, what the engine computed of it, and who evaluates it.

    `electorate`: those whose accept counts; the others were merely named by the proposer (design §6.2).
    """

    round: int
    proposal: Data
    computed: Data
    evaluators: tuple[str, ...]
    electorate: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProposalDropped(Private):
    """A bound, or a ground that no longer fits, kept a proposal off the table (design §2, trap 12)."""

    round: int
    proposal_id: str
    proposer: str
    limit: str  # the bound by its name in SafetyConfig; "inapplicable" where the diff does not fit the ground
    why: str
    proposal: Data


@dataclass(frozen=True, slots=True)
class ProposalQueued(Private):
    """A counter-proposal, a modification or a deferred part waits for the next round."""

    round: int
    proposal_id: str
    proposer: str
    origin: str  # counter | modification | deferred
    proposal: Data


@dataclass(frozen=True, slots=True)
class ProposalStoodAgain(Private):
    """A deferred proposal is on the table for another round: the ground has not moved under it."""

    round: int
    proposal_id: str


@dataclass(frozen=True, slots=True)
class EvaluationOpened(Event):
    """All of a round's proposals are known: evaluation began."""

    round: int
    proposals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProposalEvaluated(Private):
    """One evaluator's answer."""

    round: int
    proposal_id: str
    evaluator: str
    evaluation: Data  # decision, reasoning, confidence, concerns, suggestions, counter_proposal, impact_assessment


@dataclass(frozen=True, slots=True)
class EvaluatorSilent(Private):
    """No usable answer from an evaluator: neither yes nor no (design §6.7)."""

    round: int
    proposal_id: str
    evaluator: str
    why: str


@dataclass(frozen=True, slots=True)
class ProposalAgreed(Private):
    """A proposal may be committed: `consensus` is unanimous, majority, arbiter or gates."""

    round: int
    proposal_id: str
    consensus: str
    why: str
    diff: tuple[Data, ...] | None = None  # what is committed instead, where an arbiter changed it
    computed: Data | None = None  # and what that does


@dataclass(frozen=True, slots=True)
class ProposalContested(Private):
    """The evaluators did not agree: an arbiter, or a majority, decides."""

    round: int
    proposal_id: str
    why: str


@dataclass(frozen=True, slots=True)
class ProposalRejected(Private):
    """A proposal fell."""

    round: int
    proposal_id: str
    by: str  # evaluators | arbiter | no_arbiter | majority | silence | quorum | conflict | limit
    why: str


@dataclass(frozen=True, slots=True)
class ProposalDeferred(Private):
    """Somebody wants to be asked again next round."""

    round: int
    proposal_id: str
    waiting_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArbitrationOpened(Event):
    """What the evaluators left open, case by case. A case of several proposals is a conflict about `fields`."""

    round: int
    cases: tuple[Data, ...]  # {"case", "proposals", "fields", "arbiter"}

    def seen_by(self) -> tuple[str, ...] | None:
        """Nobody: who is concerned is asked or told."""
        return ()


@dataclass(frozen=True, slots=True)
class Ruled(Private):
    """An arbiter's binding decision."""

    round: int
    case: int
    proposals: tuple[str, ...]
    arbiter: str
    ruling: Data  # decision, ruling, proposal_id, committed_diff, deferred, notes


@dataclass(frozen=True, slots=True)
class ArbiterSilent(Private):
    """An arbiter gave no usable ruling; the next one is asked, if there is one."""

    round: int
    case: int
    proposals: tuple[str, ...]
    arbiter: str
    why: str
    next: str | None


@dataclass(frozen=True, slots=True)
class RoundClosed(Event):
    """A round ended with so many proposals on the table and so many committed."""

    round: int
    tabled: int
    committed: int


@dataclass(frozen=True, slots=True)
class StopRequested(Event):
    """Somebody, or a budget, asked for the end; an effect under way is finished first."""

    by: str
    why: str


@dataclass(frozen=True, slots=True)
class NegotiationEnded(Event):
    """The end, and what was left unheard."""

    reason: str  # converged | rounds | nothing_left | file_changes | stopped
    why: str
    rounds: int
    unheard: tuple[str, ...]
    deferred: tuple[str, ...]


EVENTS: Mapping[str, type[Event]] = facts_of(globals())
