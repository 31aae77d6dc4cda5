"""The facts of a proposal negotiation, in the past tense: what stands in its log, one a line.

Every fact says who may see it. A proposal is seen by its proposer and its evaluators and by nobody else (seed 000,
"Agents not listed as affected don't see this proposal at all"); the arbiter sees what it is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.negotiation.core.protocol import AnswerRefused as AnswerRefused, Event, collect_event_types

# A fact that some may see: what the facts of a proposal negotiation are made of.


Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PrivateEvent(Event, kind=""):  # what facts are made of, and none itself
    """A fact for some only."""

    audience: tuple[str, ...]

    def seen_by(self) -> tuple[str, ...] | None:
        """Those it was addressed to."""
        return self.audience


# The facts of the last phase: what is agreed on its way to the files, and how it falls there.


@dataclass(frozen=True, slots=True)
class CommitsOpened(Event, kind="commits_opened"):
    """The agreed proposals go through the gates, one after the other."""

    round: int
    proposals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommitPrepared(PrivateEvent, kind="commit_prepared"):
    """The gates passed in a scratch copy; a person decides."""

    round: int
    proposal_id: str
    receipt: Data


@dataclass(frozen=True, slots=True)
class CommitApproved(PrivateEvent, kind="commit_approved"):
    """A person approved a commit."""

    round: int
    proposal_id: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProposalWithdrawn(PrivateEvent, kind="proposal_withdrawn"):
    """A person did not approve the commit, or said nothing."""

    round: int
    proposal_id: str
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class ProposalCommitted(PrivateEvent, kind="proposal_committed"):
    """The change is in the files. The receipt carries their hashes and the agents as they are now."""

    round: int
    proposal_id: str
    commit_id: str
    consensus: str
    schema_changes: tuple[Data, ...]
    receipt: Data


@dataclass(frozen=True, slots=True)
class CommitFailed(PrivateEvent, kind="commit_failed"):
    """A gate refused the commit; the files are as before (seed 000, `commit_failed`).

    `passed`: the gates before it. `ends`: how each gate ended that was asked, and why. Empty in older logs."""

    round: int
    proposal_id: str
    gate: str
    why: str
    passed: tuple[str, ...] = ()
    ends: tuple[Data, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalHeardAgain(PrivateEvent, kind="proposal_heard_again"):
    """It lost a conflict, and the winner fell on its way to the files: it is agreed again, as it was before."""

    round: int
    proposal_id: str
    why: str


@dataclass(frozen=True, slots=True)
class ProposalSuperseded(PrivateEvent, kind="proposal_superseded"):
    """The ground moved under a proposal: it goes back to its proposer (design §6.5)."""

    round: int
    proposal_id: str
    why: str


@dataclass(frozen=True, slots=True)
class NegotiationOpened(Event, kind="negotiation_opened"):
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
class RoundStarted(Event, kind="round_started"):
    """A round began: `asked` may propose, `carried` stand open from the round before."""

    round: int
    asked: tuple[str, ...]
    carried: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalsMade(PrivateEvent, kind="proposals_made"):
    """An agent answered: what it proposes, what it cannot know, and where it proposes nothing and why."""

    round: int
    agent: str
    proposals: tuple[Data, ...]
    questions: tuple[Data, ...] = ()
    left: tuple[Data, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionSettled(PrivateEvent, kind="question_settled"):
    """Somebody was asked what is meant. `choice` is a candidate's name, or "none" of them; None: no answer (`why`)."""

    round: int
    question: str
    agent: str
    by: str
    choice: str | None
    why: str


@dataclass(frozen=True, slots=True)
class ProposerSilent(PrivateEvent, kind="proposer_silent"):
    """An agent gave no usable answer when asked to propose."""

    round: int
    agent: str
    why: str


@dataclass(frozen=True, slots=True)
class ProposalTabled(PrivateEvent, kind="proposal_tabled"):
    """A proposal is on the table: its canonical form, what the engine computed of it, and who evaluates it.

    `electorate`: those whose accept counts; the others were merely named by the proposer (design §6.2).
    """

    round: int
    proposal: Data
    computed: Data
    evaluators: tuple[str, ...]
    electorate: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProposalDropped(PrivateEvent, kind="proposal_dropped"):
    """A bound, or a ground that no longer fits, kept a proposal off the table (design §2, trap 12)."""

    round: int
    proposal_id: str
    proposer: str
    limit: str  # the bound by its name in SafetyConfig; "inapplicable" where the diff does not fit the ground
    why: str
    proposal: Data


@dataclass(frozen=True, slots=True)
class ProposalQueued(PrivateEvent, kind="proposal_queued"):
    """A counter-proposal, a modification or a deferred part waits for the next round."""

    round: int
    proposal_id: str
    proposer: str
    origin: str  # counter | modification | deferred
    proposal: Data


@dataclass(frozen=True, slots=True)
class ProposalStoodAgain(PrivateEvent, kind="proposal_stood_again"):
    """A deferred proposal is on the table for another round: the ground has not moved under it."""

    round: int
    proposal_id: str


@dataclass(frozen=True, slots=True)
class EvaluationOpened(Event, kind="evaluation_opened"):
    """All of a round's proposals are known: evaluation began."""

    round: int
    proposals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProposalEvaluated(PrivateEvent, kind="proposal_evaluated"):
    """One evaluator's answer."""

    round: int
    proposal_id: str
    evaluator: str
    evaluation: Data  # decision, reasoning, confidence, concerns, suggestions, counter_proposal, impact_assessment


@dataclass(frozen=True, slots=True)
class EvaluatorSilent(PrivateEvent, kind="evaluator_silent"):
    """No usable answer from an evaluator: neither yes nor no (design §6.7)."""

    round: int
    proposal_id: str
    evaluator: str
    why: str


@dataclass(frozen=True, slots=True)
class ProposalAgreed(PrivateEvent, kind="proposal_agreed"):
    """A proposal may be committed: `consensus` is unanimous, majority, arbiter or gates."""

    round: int
    proposal_id: str
    consensus: str
    why: str
    diff: tuple[Data, ...] | None = None  # what is committed instead, where an arbiter changed it
    computed: Data | None = None  # and what that does


@dataclass(frozen=True, slots=True)
class ProposalContested(PrivateEvent, kind="proposal_contested"):
    """The evaluators did not agree: an arbiter, or a majority, decides."""

    round: int
    proposal_id: str
    why: str


@dataclass(frozen=True, slots=True)
class ProposalRejected(PrivateEvent, kind="proposal_rejected"):
    """A proposal fell."""

    round: int
    proposal_id: str
    by: str  # evaluators | arbiter | no_arbiter | majority | silence | quorum | conflict | limit
    why: str


@dataclass(frozen=True, slots=True)
class ProposalDeferred(PrivateEvent, kind="proposal_deferred"):
    """Somebody wants to be asked again next round."""

    round: int
    proposal_id: str
    waiting_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArbitrationOpened(Event, kind="arbitration_opened"):
    """What the evaluators left open, case by case. A case of several proposals is a conflict about `fields`."""

    round: int
    cases: tuple[Data, ...]  # {"case", "proposals", "fields", "arbiter"}

    def seen_by(self) -> tuple[str, ...] | None:
        """Nobody: who is concerned is asked or told."""
        return ()


@dataclass(frozen=True, slots=True)
class Ruled(PrivateEvent, kind="ruled"):
    """An arbiter's binding decision."""

    round: int
    case: int
    proposals: tuple[str, ...]
    arbiter: str
    ruling: Data  # decision, ruling, proposal_id, committed_diff, deferred, notes


@dataclass(frozen=True, slots=True)
class ArbiterSilent(PrivateEvent, kind="arbiter_silent"):
    """An arbiter gave no usable ruling; the next one is asked, if there is one."""

    round: int
    case: int
    proposals: tuple[str, ...]
    arbiter: str
    why: str
    next: str | None


@dataclass(frozen=True, slots=True)
class RoundClosed(Event, kind="round_closed"):
    """A round ended with so many proposals on the table and so many committed."""

    round: int
    tabled: int
    committed: int


@dataclass(frozen=True, slots=True)
class StopRequested(Event, kind="stop_requested"):
    """Somebody, or a budget, asked for the end; an effect under way is finished first."""

    by: str
    why: str


@dataclass(frozen=True, slots=True)
class NegotiationEnded(Event, kind="negotiation_ended"):
    """The end, and what was left unheard."""

    reason: str  # converged | rounds | nothing_left | file_changes | stopped
    why: str
    rounds: int
    unheard: tuple[str, ...]
    deferred: tuple[str, ...]


EVENTS: Mapping[str, type[Event]] = collect_event_types(globals())
