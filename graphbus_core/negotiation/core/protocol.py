"""What a protocol is: a handful of pure functions over an append-only log of facts (design §2).

    open(config) -> State            the state before the first event
    pending(state) -> Want …         what must happen next: lazily, in canonical order
    check(ask, body) -> why | None   whether an answer is well formed; needs the ask alone
    settle(state, want, result)      one fact per answer
    submit(state, who, move)         a fact for a move that nobody asked for
    advance(state) -> Event | None   the next consequence, one at a time, until None
    evolve(state, event) -> State    the fold
    outcome(state) -> Outcome | None

A protocol reads no clock, draws no random number, touches no file. Deadlines are durations on an ask; a timeout is
that ask's result. Nothing in here knows what a proposal is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol, Self, TypeVar

from graphbus_core.errors import LogDamaged

Json = Mapping[str, Any]

ConfigT = TypeVar("ConfigT", contravariant=True)
StateT = TypeVar("StateT")
OutcomeT = TypeVar("OutcomeT", covariant=True)


@dataclass(frozen=True, slots=True)
class Event:
    """A fact of a negotiation. Subclasses are frozen dataclasses whose fields hold JSON values only.

    `kind` names the fact in the log, in the past tense: `class RoundStarted(Event, kind="round_started")`. Logs outlive
    the names of classes, so it is written out. A class that only other facts are made of says "". `audience` says who
    may see it: None for everybody.
    """

    kind: ClassVar[str] = ""

    def __init_subclass__(cls, *, kind: str | None = None) -> None:
        if kind is not None:
            cls.kind = kind
        # What the class wrote itself, not what it inherits; `slots` makes every class a second time from its own names.
        elif "kind" not in vars(cls):
            raise TypeError(f'{cls.__name__} says no kind: write `class {cls.__name__}(…, kind="…")`.')

    def to_dict(self) -> dict[str, Any]:
        """The event's identity: what must be the same, byte for byte, when the negotiation is replayed."""
        return {name: getattr(self, name) for name in _list_field_names(type(self))}

    @classmethod
    def from_dict(cls, data: Json) -> Self:
        """Inverse of `to_dict`. Raises LogDamaged where fields are missing or foreign."""
        names = _list_field_names(cls)
        if set(data) - set(names):
            raise LogDamaged(f"{cls.kind}: unknown fields {sorted(set(data) - set(names))}")
        try:
            return cls(**{k: _make_tuple(v) if isinstance(v, list) else v for k, v in data.items()})
        except TypeError as e:
            raise LogDamaged(f"{cls.kind}: {e}") from None

    def seen_by(self) -> tuple[str, ...] | None:
        """Names of the participants who may see this, or None: everybody."""
        return None


_NAMES: dict[type, tuple[str, ...]] = {}


def _list_field_names(cls: type[Event]) -> tuple[str, ...]:
    names = _NAMES.get(cls)
    if names is None:
        names = _NAMES[cls] = tuple(f.name for f in fields(cls))
    return names


def _make_tuple(value: list[Any]) -> tuple[Any, ...]:
    return tuple(value)


def collect_event_types(names: Json) -> Mapping[str, type[Event]]:
    """The kinds of facts among a module's names (`globals()`), by their word in the log.

    Called below the last class: whatever fact the module defines, or takes over by import, is a kind of its protocol.
    """
    # From the classes, because a list beside them is forgotten, and a log with the new kind could then not be read.
    return {cls.kind: cls for cls in names.values() if isinstance(cls, type) and issubclass(cls, Event) and cls.kind}


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to one participant.

    `about` is all that `check` needs, and what the participant is told beside its view. `pin`: it sees the facts
    up to the `pin`-th that `evolve` was given. `within_s`: how long an answer may take; None for as long as it takes.
    """

    id: str
    to: str
    kind: str
    about: Json
    pin: int = 0
    within_s: float | None = None


@dataclass(frozen=True, slots=True)
class Apply:
    """An effect to be run. It may run, crash and run again: whoever runs it makes that harmless."""

    id: str
    kind: str
    about: Json


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to be done before `within_s` seconds have passed, unless somebody submits a move."""

    id: str
    within_s: float


Want = Ask | Apply | Wait


@dataclass(frozen=True, slots=True)
class Answered:
    """A well-formed answer to an ask."""

    body: Json


@dataclass(frozen=True, slots=True)
class Silent:
    """No usable answer: a timeout, a failure, or nonsense to the end of the retries. Never a yes."""

    why: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What an effect reported."""

    receipt: Json


@dataclass(frozen=True, slots=True)
class Elapsed:
    """A wait is over."""


Result = Answered | Silent | Applied | Elapsed


@dataclass(frozen=True, slots=True)
class AnswerRefused(Event, kind="answer_refused"):
    """A participant's answer was malformed; the question is asked again under a new id (`id#2`)."""

    ask: str
    participant: str
    why: str

    def seen_by(self) -> tuple[str, ...] | None:
        """The participant alone."""
        return (self.participant,)


UNREADABLE = "unreadable"


def make_unreadable(why: str, text: str = "") -> dict[str, Any]:
    """A body that says only that what its author wrote could not be read, and why (empty, cut off, prose …).

    It is an answer to nothing: the session refuses it with this reason, so that it stands in the log and the
    question is asked again. `said` is what was written, cut short by whoever calls.
    """
    return {UNREADABLE: why, "said": text}


class NegotiationProtocol(Protocol[ConfigT, StateT, OutcomeT]):
    """One negotiation's rules. `name` stands in the log; `events` maps the kind of each fact to its class.

    `evolve` may change the state that it is given and return it: a state belongs to one session. It must depend on
    nothing but its arguments. `pending` may be left after its first element. `submit` raises `IllegalMove` only for
    a bug of ours: a move against the rules is a fact as well, or is answered by the protocol's own refusal event.
    """

    name: str
    events: Mapping[str, type[Event]]

    def open(self, config: ConfigT) -> StateT:
        """The state before the first event."""

    def pending(self, state: StateT) -> Iterator[Want]:
        """What must happen next, in canonical order. Empty only where there is an outcome."""

    def check(self, ask: Ask, body: Json) -> str | None:
        """Why this body is not an answer to this ask, in words its author can act on; None if it is one."""

    def settle(self, state: StateT, want: Want, result: Result) -> Event:
        """The one fact that this result is."""

    def submit(self, state: StateT, who: str, move: Json) -> Event:
        """The one fact that this unasked move is."""

    def advance(self, state: StateT) -> Event | None:
        """The next consequence of what has happened, or None."""

    def evolve(self, state: StateT, event: Event) -> StateT:
        """The state after this event."""

    def outcome(self, state: StateT) -> OutcomeT | None:
        """How it ended, or None while it has not."""
