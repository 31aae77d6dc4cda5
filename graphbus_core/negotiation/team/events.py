"""The facts of a team's log: who sits where, what each will change, what two settled, what landed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.negotiation.core import Event, collect_event_types


@dataclass(frozen=True)
class Opened(Event, kind="team_opened"):
    """The first fact: the branch that all land on, how long a seat may be silent, and what is to be done."""

    base: str
    lease_s: float
    tasks: tuple[dict[str, str], ...] = ()  # of name and text


@dataclass(frozen=True)
class SeatTaken(Event, kind="seat_taken"):
    """A seat: its branch, its working tree, and the commit that it began at."""

    seat: str
    branch: str
    worktree: str
    start: str


@dataclass(frozen=True)
class SeatLeft(Event, kind="seat_left"):
    """A seat gave up its claims by its own word."""

    seat: str
    why: str = ""


@dataclass(frozen=True)
class Planned(Event, kind="planned"):
    """What a seat will change, in place of what it said before; `uses`: symbol -> where its definitions rely on it."""

    seat: str
    changes: tuple[dict[str, Any], ...]
    uses: dict[str, str]


@dataclass(frozen=True)
class Observed(Event, kind="observed"):
    """What a seat's branch and working tree differ in from where it began, uncommitted changes too."""

    seat: str
    tip: str
    changes: tuple[dict[str, Any], ...]
    uses: dict[str, str]
    note: str = ""  # what is odd: its working tree is gone, its branch was rewritten


@dataclass(frozen=True)
class Told(Event, kind="told"):
    """Words from one seat to another, or to all (`to` is "")."""

    seat: str
    to: str
    text: str

    def seen_by(self) -> tuple[str, ...] | None:
        """The two, or all."""
        return (self.seat, self.to) if self.to else None


@dataclass(frozen=True)
class QuestionRaised(Event, kind="question_raised"):
    """Two seats overlap at a symbol; they settle it by one of the choices, or by words of their own."""

    question: str
    seats: tuple[str, str]
    about: str  # the symbol
    topic: str  # parameters, name, shared, removal, depends
    items: tuple[str, ...]  # what of both made it a question
    text: str
    choices: tuple[dict[str, Any], ...]  # of hash, text and effect

    def seen_by(self) -> tuple[str, ...] | None:
        """The two alone."""
        return self.seats


@dataclass(frozen=True)
class ChoiceOffered(Event, kind="choice_offered"):
    """Another choice, in the words of one of the two. It accepts it by offering it."""

    seat: str
    question: str
    choice: dict[str, Any]


@dataclass(frozen=True)
class ChoiceAccepted(Event, kind="choice_accepted"):
    """One of the two accepts a choice by its hash, in place of what it accepted before."""

    seat: str
    question: str
    hash: str


@dataclass(frozen=True)
class QuestionSettled(Event, kind="question_settled"):
    """Both accepted the same hash."""

    question: str
    hash: str


@dataclass(frozen=True)
class QuestionClosed(Event, kind="question_closed"):
    """There is nothing to settle any more: `why` says what went away."""

    question: str
    why: str


@dataclass(frozen=True)
class Landed(Event, kind="landed"):
    """A seat's work is on the branch of the team."""

    seat: str
    commit: str
    tip: str  # what of its branch landed
    changes: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class PromiseBroken(Event, kind="promise_broken"):
    """What a seat had said it would change, and did not when it landed or left; told to those who counted on it."""

    seat: str
    to: tuple[str, ...]
    promise: str

    def seen_by(self) -> tuple[str, ...] | None:
        """Who made it and those to whom it was made."""
        return (self.seat, *self.to)


@dataclass(frozen=True)
class Lapsed(Event, kind="lapsed"):
    """A seat was silent longer than its lease, or its branch is gone: it has no claims until it plans again."""

    seat: str
    why: str


@dataclass(frozen=True)
class Synced(Event, kind="synced"):
    """A seat's branch has what landed before it."""

    seat: str
    tip: str
    base: str


@dataclass(frozen=True)
class TeamMoveRefused(Event, kind="team_move_refused"):
    """A move against the rules; it changed nothing."""

    seat: str
    move: str
    reasons: tuple[str, ...]

    def seen_by(self) -> tuple[str, ...] | None:
        """Who tried it."""
        return (self.seat,)


EVENTS: Mapping[str, type[Event]] = collect_event_types(globals())
