"""What the facts of a team amount to: seats with their claims, questions with their choices, what landed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.negotiation.core import Event
from graphbus_core.negotiation.team import events as facts
from graphbus_core.negotiation.team.events import PromiseBroken
from graphbus_core.negotiation.team.plan import BEHAVIOUR, BODY, USE, Change, read_changes


@dataclass
class Seat:
    """Who sits there, and what it claims. `status`: active, lapsed or left."""

    name: str
    branch: str
    worktree: str
    start: str
    status: str = "active"
    tip: str = ""
    planned: tuple[Change, ...] = ()
    planned_uses: Mapping[str, str] = field(default_factory=dict)
    observed: tuple[Change, ...] = ()
    observed_uses: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    why: str = ""  # it has no claims
    landings: int = 0

    @property
    def is_active(self) -> bool:
        return self.status == "active"

    def list_claims(self) -> list[Change]:
        """What it plans and what its files show, each change once; `body` only where nothing else says more."""
        claims: dict[tuple[str, tuple[str, str]], Change] = {}
        for change in (*self.planned, *self.observed):
            if change.kind != USE:
                claims.setdefault((change.symbol, change.key), change)
        said_more = {change.symbol for change in claims.values() if change.kind != BODY}
        return [c for c in claims.values() if c.kind != BODY or c.symbol not in said_more]

    def find_use(self, symbol: str) -> str | None:
        """Where what it touches relies on a symbol; None where it does not."""
        for change in self.planned:
            if change.kind == USE and change.symbol == symbol:
                return "its plan"
        return self.observed_uses.get(symbol) or self.planned_uses.get(symbol)


@dataclass
class Question:
    """What two seats settle. `status`: open, settled or closed."""

    id: str
    seats: tuple[str, str]
    about: str
    topic: str
    items: tuple[str, ...]
    text: str
    choices: dict[str, dict[str, Any]]  # by hash
    landings: dict[str, int]  # how often each had landed when it was raised
    accepted: dict[str, str] = field(default_factory=dict)  # seat -> hash
    status: str = "open"
    settled: str = ""  # the hash
    why: str = ""

    @property
    def is_open(self) -> bool:
        return self.status == "open"

    @property
    def decision(self) -> dict[str, Any]:
        """The choice that both accepted; empty where there is none."""
        return self.choices.get(self.settled, {})

    def find_other(self, seat: str) -> str:
        """The one that it is asked with."""
        return self.seats[1] if self.seats[0] == seat else self.seats[0]


@dataclass
class Landing:
    """What landed, by whom, as which commit; `number` counts from 1."""

    number: int
    seat: str
    commit: str
    tip: str
    changes: tuple[Change, ...]


@dataclass
class State:
    """A team."""

    base: str = ""
    lease_s: float = 0.0
    tasks: tuple[dict[str, str], ...] = ()
    seats: dict[str, Seat] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    landings: list[Landing] = field(default_factory=list)
    broken: list[PromiseBroken] = field(default_factory=list)
    unsaid: list[PromiseBroken] = field(default_factory=list)  # broken, and not yet a fact of its own
    facts: int = 0

    @property
    def is_open(self) -> bool:
        return bool(self.base)

    def list_active(self) -> list[Seat]:
        """The seats that have claims, in the order in which they sat down."""
        return [seat for seat in self.seats.values() if seat.is_active]

    def list_questions(self, seat: str, *, is_open: bool = True) -> list[Question]:
        """What a seat is asked, or what it settled."""
        wanted = "open" if is_open else "settled"
        return [q for q in self.questions.values() if seat in q.seats and q.status == wanted]

    def find_broken_promises(self, seat: Seat, landed: Sequence[Change]) -> Iterator[PromiseBroken]:
        """Each planned change that did not land, for those to whom it was made: who relies on it, or settled it."""
        done = {(change.symbol, change.key) for change in landed}
        touched = {change.symbol for change in landed}
        for change in seat.planned:
            if change.kind == USE or (change.symbol, change.key) in done:
                continue
            # What a sentence says, or a body does, shows in the text only as a change of that symbol.
            if change.kind in (BEHAVIOUR, BODY) and change.symbol in touched:
                continue
            to = [other.name for other in self.list_active() if other is not seat and other.find_use(change.symbol)]
            settled = self.list_questions(seat.name, is_open=False)
            to += [q.find_other(seat.name) for q in settled if q.about == change.symbol]
            yield PromiseBroken(seat.name, tuple(dict.fromkeys(to)), change.render())


def evolve(state: State, event: Event) -> State:
    """The state after this fact. It is changed, and returned."""
    state.facts += 1
    match event:
        case facts.Opened():
            state.base, state.lease_s, state.tasks = event.base, event.lease_s, tuple(event.tasks)
        case facts.SeatTaken():
            landings = state.seats[event.seat].landings if event.seat in state.seats else 0
            seat = Seat(event.seat, event.branch, event.worktree, event.start, tip=event.start, landings=landings)
            state.seats[event.seat] = seat
        case facts.SeatLeft() | facts.Lapsed():
            seat = state.seats[event.seat]
            if isinstance(event, facts.SeatLeft):  # a lapsed seat may plan again, and then promises anew
                state.unsaid += state.find_broken_promises(seat, ())
            _drop_claims(seat)
            seat.status = "left" if isinstance(event, facts.SeatLeft) else "lapsed"
            seat.why = event.why
        case facts.Planned():
            seat = state.seats[event.seat]
            seat.planned, seat.planned_uses = read_changes(event.changes), event.uses
            seat.status, seat.why = "active", ""
        case facts.Observed():
            seat = state.seats[event.seat]
            seat.observed, seat.observed_uses = read_changes(event.changes), event.uses
            seat.tip, seat.note = event.tip, event.note
        case facts.Landed():
            seat = state.seats[event.seat]
            changes = read_changes(event.changes)
            state.landings.append(Landing(len(state.landings) + 1, event.seat, event.commit, event.tip, changes))
            if seat.tip == event.tip:  # else it landed by another road, with commits that nobody has read
                state.unsaid += state.find_broken_promises(seat, changes)
            _drop_claims(seat)
            seat.tip, seat.start, seat.landings = event.tip, event.tip, seat.landings + 1
        case PromiseBroken():
            state.broken.append(event)
            said = (event.seat, event.promise)
            state.unsaid = [promise for promise in state.unsaid if (promise.seat, promise.promise) != said]
        case facts.Synced():
            seat = state.seats[event.seat]
            seat.tip = event.tip
            if event.tip == event.base:  # it has no commits of its own
                seat.start = event.tip
        case _:
            _evolve_question(state, event)
    return state


def _drop_claims(seat: Seat) -> None:
    seat.planned, seat.planned_uses, seat.observed, seat.observed_uses = (), {}, (), {}


def _evolve_question(state: State, event: Event) -> None:
    match event:
        case facts.QuestionRaised():
            choices = {choice["hash"]: choice for choice in event.choices}
            landings = {name: state.seats[name].landings for name in event.seats}
            state.questions[event.question] = Question(
                event.question, event.seats, event.about, event.topic, tuple(event.items), event.text, choices, landings
            )
        case facts.ChoiceOffered():
            question = state.questions[event.question]
            question.choices[event.choice["hash"]] = event.choice
            question.accepted[event.seat] = event.choice["hash"]
            question.status, question.settled = "open", ""
        case facts.ChoiceAccepted():
            state.questions[event.question].accepted[event.seat] = event.hash
        case facts.QuestionSettled():
            question = state.questions[event.question]
            question.status, question.settled = "settled", event.hash
        case facts.QuestionClosed():
            question = state.questions[event.question]
            question.status, question.why = "closed", event.why
