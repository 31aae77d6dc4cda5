"""Where a consent negotiation stands: the fold over its facts. It decides nothing; `rules` does."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from graphbus_core.negotiation.consent.events import (
    BallotCommitted,
    BallotForfeited,
    BallotOpened,
    CheckCalled,
    CheckFailed,
    ConsentConfig,
    Consented,
    DeadlockFound,
    Discussed,
    Ended,
    MasksTold,
    Objected,
    Outcome,
    Passed,
    PositionMissed,
    PositionStated,
    ProposalTabled,
    Status,
    StoodAside,
)
from graphbus_core.negotiation.consent.scenario.model import Preferences, describe_issues, describe_preferences
from graphbus_core.negotiation.consent.shut_ballots import BallotBox, BallotStage
from graphbus_core.negotiation.core import Event


class Phase(StrEnum):
    """What is going on."""

    POSITIONS = "positions"
    BALLOTS = "ballots"
    TURNS = "turns"
    CHECK = "check"
    OVER = "over"


@dataclass
class CurrentProposal:
    """The current proposal. `failed`: a check of it did, so it is not checked again."""

    number: int
    by: str
    terms: Any
    hash: str
    failed: bool = False
    objections: dict[str, str] = field(default_factory=dict)


@dataclass
class State:
    """Everything that the rules look at. `turns` counts as the seed counts (design §8)."""

    config: ConsentConfig
    phase: Phase = Phase.POSITIONS
    turns: int = 0
    speaking_turns: int = 0
    answered_positions: int = 0
    turn: int = 0  # which turn it is, from 0: the ask's number and, modulo the advocates, whose it is
    passes: int = 0  # in a row
    numbers: int = 0  # proposals tabled so far
    standing: CurrentProposal | None = None
    # None for consent and a text for an objection: one dictionary, so that nobody can be in both.
    answers: dict[str, str | None] = field(default_factory=dict)  # to the open check: reason, or None for consent
    aside: dict[str, str] = field(default_factory=dict)  # who stands aside in the open check, and why
    caller: str = ""
    last_chance: bool = False  # no check can follow the open one: everybody passed, or the turns run out
    failed_checks: dict[str, int] = field(default_factory=dict)
    mediated: bool = False
    efficient: set[int] = field(default_factory=set)  # proposals known to leave nothing on the table
    said: list[dict[str, Any]] = field(default_factory=list)  # every fact so far, as data
    said_at_phase: int = 0  # how many of them when the present questions arose
    turns_before_check: int = 0
    ballots_due: bool = False  # whether somebody has answered what is asked of everyone about the ballots
    _ballots: BallotBox | None = None
    _issues: dict[str, Any] | None = None
    _yours: dict[str, dict[str, Any]] = field(default_factory=dict)
    deadlock: tuple[str, ...] = ()
    outcome: Outcome | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The advocates, in the order of their turns."""
        return self.config.scenario.names

    @property
    def ballots(self) -> BallotBox:
        """The ballots that stay shut until all are in. Only a table with private preferences casts any."""
        if self._ballots is None:
            shape = tuple(len(i.options) for i in self.config.scenario.issues)
            self._ballots = BallotBox(self.names, shape)
        return self._ballots

    @property
    def voters(self) -> tuple[str, ...]:
        """The advocates that have a say: all, but for those whose ballot stayed shut."""
        return self.names if self._ballots is None else self._ballots.voters

    @property
    def turns_left(self) -> int:
        """How many turns may still be used."""
        return self.config.max_turns - self.turns

    @property
    def checks_left(self) -> int:
        """How many more checks the turns can hold, each stating its terms itself. Everyone's answer is a turn."""
        # Every check costs one turn of each advocate, so this is a division and not a difference.
        return max(0, self.turns_left) // max(1, len(self.voters))

    @property
    def may_speak(self) -> bool:
        """Whether a proposal or a discussion leaves the turns for a check: else it could come to nothing."""
        # More than, not at least: the word itself is a turn, and the check must still fit behind it.
        return self.turns_left > len(self.voters)

    @property
    def issues(self) -> dict[str, Any]:
        """The issues as plain data, made once."""
        if self._issues is None:
            self._issues = describe_issues(self.config.scenario)
        return self._issues

    def own_preferences(self, name: str) -> dict[str, Any]:
        """One advocate's preferences as plain data, made once."""
        if name not in self._yours:
            self._yours[name] = describe_preferences(self.config.scenario, name)
        return self._yours[name]

    def list_said_before(self) -> list[dict[str, Any]]:
        """What had been said when the present questions arose."""
        return self.said[: self.said_at_phase]

    @property
    def answered_names(self) -> set[str]:
        """Who has answered the open check, one way or another."""
        return self.answers.keys() | self.aside.keys()

    @property
    def speaker(self) -> str:
        """Whose turn it is."""
        return self.voters[self.turn % len(self.voters)]


def fold(state: State, event: Event) -> State:
    """The state after this fact."""
    state.said.append({"fact": event.kind, **event.to_dict()})
    match event:
        case PositionStated():
            _take_position(state, event)
        case BallotCommitted() | BallotOpened() | MasksTold() | BallotForfeited():
            _fold_ballot(state, event)
        case PositionMissed():
            state.answered_positions += 1
        case ProposalTabled():
            _table_proposal(state, event)
        case Discussed():
            state.turns += 1
            state.speaking_turns += 1
            state.turn += 1
            state.passes = 0
        case Passed():
            # A pass costs no turn by the seed. The row of them is counted, because a full round of passes ends the
            # talk.
            state.turn += 1
            state.passes += 1
        case CheckCalled():
            _open_check(state, event)
        case Consented():
            state.turns += 1
            state.answers[event.advocate] = None
        case Objected():
            state.turns += 1
            state.answers[event.advocate] = event.reason
        case StoodAside():
            state.turns += 1
            state.aside[event.advocate] = event.reason
        case CheckFailed():
            _close_check(state)
        case DeadlockFound():
            state.deadlock = event.conflict
        case Ended():
            _end(state, event)
        case _:
            pass
    _follow_phase(state)
    return state


def _take_position(state: State, event: PositionStated) -> None:
    state.answered_positions += 1
    state.turns += 1
    if state.config.scenario.preferences is Preferences.PRIVATE and state.config.scenario.issues:
        state.ballots.take_key(event.advocate, event.rationale)


def _follow_phase(state: State) -> None:
    """From positions to ballots or turns, and what the next questions may be told."""
    # Positions can be fewer than advocates where the bound is small: then the talk goes on to its end at once.
    if state.phase is Phase.POSITIONS and state.answered_positions >= min(len(state.names), state.config.max_turns):
        stage = state._ballots.find_stage(state.turns_left)[0] if state._ballots is not None else BallotStage.OVER
        state.phase = Phase.TURNS if stage is BallotStage.OVER else Phase.BALLOTS
    # What was answered to a question that others have still to answer must not show in theirs.
    is_half_answered = {
        Phase.POSITIONS: True,
        Phase.CHECK: bool(state.answered_names),
        Phase.BALLOTS: state.ballots_due,
    }
    if not is_half_answered.get(state.phase, False):
        state.said_at_phase = len(state.said)


def _fold_ballot(state: State, event: BallotCommitted | BallotOpened | MasksTold | BallotForfeited) -> None:
    box = state.ballots
    before = box.find_stage(state.turns_left)[:2]
    match event:
        case BallotCommitted():
            box.commit(event.advocate, event.round, event.commitment)
        case BallotOpened():
            box.open(event.advocate, event.ballot, event.masks)
        case MasksTold():
            box.tell_seeds(event.advocate, event.seeds)
        case BallotForfeited():
            box.forfeit(event.advocate, event.round)
    # A commitment and an opening are what is said in a turn; that nothing more is needed, and a seed, are not.
    spoken = isinstance(event, BallotOpened) or (isinstance(event, BallotCommitted) and bool(event.commitment))
    state.turns += spoken
    state.speaking_turns += spoken
    after = box.find_stage(state.turns_left)[:2]
    state.ballots_due = after == before
    if after[0] is BallotStage.OVER:
        state.phase = Phase.TURNS


def _table_proposal(state: State, event: ProposalTabled) -> None:
    state.numbers = event.number
    state.standing = CurrentProposal(event.number, event.by, event.terms, event.hash)
    if event.by in state.names:
        state.turns += 1
        state.speaking_turns += 1
        state.turn += 1
        state.passes = 0
    else:
        state.mediated = True


def is_sealed(state: State) -> bool:
    """Whether the sealed mediator is at work: nobody takes turns, everybody votes on what it tables."""
    return state.config.scenario.preferences is Preferences.SEALED


def _open_check(state: State, event: CheckCalled) -> None:
    # Own words make a new proposal, with a number of its own: what was consented to before is not this.
    if event.own_words or state.standing is None:
        state.numbers = event.number
        state.standing = CurrentProposal(event.number, event.by, event.terms, event.hash)
    state.phase = Phase.CHECK
    state.answers, state.aside = {}, {}
    state.turns_before_check = state.turns
    state.caller = event.by
    # What nobody called is the last one only where people take turns: the sealed mediator goes on to its next package.
    state.last_chance = (bool(event.why) and not is_sealed(state)) or state.checks_left <= 1
    if event.by in state.names:
        state.turn += 1
        state.passes = 0


def _close_check(state: State) -> None:
    assert state.standing is not None, "a check is of a proposal"
    state.phase = Phase.TURNS
    state.standing.failed = True
    state.standing.objections = {n: r for n, r in state.answers.items() if r is not None}
    # By caller: each has a share of the checks, so that one advocate cannot use up everybody's turns.
    state.failed_checks[state.caller] = state.failed_checks.get(state.caller, 0) + 1


def _end(state: State, event: Ended) -> None:
    state.phase = Phase.OVER
    agreed = event.status == Status.DONE
    state.outcome = Outcome(
        status=Status(event.status),
        reason=event.reason,
        turns=event.turns,
        speaking_turns=event.speaking_turns,
        number=event.number,
        hash=event.hash,
        terms=event.terms,
        # Only with an agreement: consents to something that failed mean nothing.
        consented=tuple(n for n in state.names if n in state.answers and state.answers[n] is None) if agreed else (),
        objected=tuple(n for n in state.names if state.answers.get(n) is not None) if agreed else (),
        stood_aside={n: state.aside[n] for n in state.names if n in state.aside} if agreed else {},
        forfeited=tuple(n for n in state.names if n not in state.voters),
    )
