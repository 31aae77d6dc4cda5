"""The words of the consent negotiation: facts, bounds, and how it ended (seed 001 and 003; design §8).

All plain data. A fact holds JSON values only. What may be said when stands in `rules`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from graphbus_core.errors import ConfigError
from graphbus_core.negotiation.consent.scenario.model import Scenario
from graphbus_core.negotiation.core import Event, collect_event_types

MAX_TURNS = 30  # seed 003, "Safety"
MEDIATOR = "mediator"
SEALED = "Under seal: "  # how a text begins that only everybody's together can open (`participants.advocates.sealed`)
Terms = Mapping[str, Any] | tuple[str, ...]


class Status(StrEnum):
    """How it ended."""

    DONE = "DONE"
    INCOMPLETE = "INCOMPLETE"


class MoveKind(StrEnum):
    """What an advocate may do on its turn (design §8)."""

    PROPOSE = "propose"
    DISCUSS = "discuss"
    PASS = "pass"
    CHECK = "check"


@dataclass(frozen=True)
class ConsentConfig:
    """What a consent negotiation starts from. `within_s`: how long one answer may take.

    An advocate's failed checks may use up its share of the checks that the turns can hold, and at least one:
    `checks_each` says otherwise. The last check that the turns can hold is anybody's.
    """

    scenario: Scenario
    max_turns: int = MAX_TURNS
    checks_each: int | None = None
    within_s: float | None = None
    work: str = ""
    mediate: bool = True

    def __post_init__(self) -> None:
        if self.max_turns < 1:
            raise ConfigError(f"max_turns must be at least 1, not {self.max_turns}.")
        if self.checks_each is not None and self.checks_each < 1:
            raise ConfigError(f"checks_each must be at least 1, not {self.checks_each}.")
        names = self.scenario.names
        if len(names) < 2:
            raise ConfigError(f"A negotiation takes at least two advocates; {len(names)} named.")
        doubled = {n for n in names if names.count(n) > 1}
        # The mediator's own proposals are told apart by name, so nobody may sit there under it.
        if doubled or MEDIATOR in names:
            raise ConfigError(f"The name {min(doubled or {MEDIATOR})!r} is taken twice; give every advocate its own.")

    @property
    def check_bound(self) -> int:
        """How many checks of one advocate may fail: its share of the checks that the turns can hold."""
        if self.checks_each is not None:
            return self.checks_each
        count = len(self.scenario.advocates)
        # Rounded up, less the last check, which is anybody's: nobody can be shut out by the others' failures.
        return max(1, -(-(self.max_turns // count - 1) // count))

    @property
    def least_turns(self) -> int:
        """The fewest turns in which anything can be agreed: a position and an answer of everyone (design §8)."""
        return 2 * len(self.scenario.advocates)

    def explain_too_few_turns(self) -> str | None:
        """Why nothing can be agreed within `max_turns`, whatever anybody says; None where it can."""
        if self.max_turns >= self.least_turns:
            return None
        count = len(self.scenario.advocates)
        return (
            f"max_turns {self.max_turns} cannot hold a decision of {count} advocates: {count} positions and {count} "
            f"answers to a check take {self.least_turns}. Give at least {self.least_turns} turns"
        )


def compute_proposal_hash(number: int, terms: Terms) -> str:
    """What consent is bound to: the number and the terms, so that the same text tabled again is another proposal."""
    # A copy as plain data: JSON has one form for a mapping and one for a list, whatever types came in.
    plain = dict(terms) if isinstance(terms, Mapping) else list(terms)
    # The number too. Tabled again, the same text is another proposal, and old consents do not fall to it.
    text = json.dumps([number, plain], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# ---------------------------------------------------------------------- facts


@dataclass(frozen=True, slots=True)
class PositionStated(Event, kind="position_stated"):
    """An advocate declared its priority."""

    advocate: str
    priority: str
    rationale: str
    red_line: str
    willing_to_trade: str


@dataclass(frozen=True, slots=True)
class PositionMissed(Event, kind="position_missed"):
    """An advocate said nothing when asked for its position."""

    advocate: str
    why: str


@dataclass(frozen=True, slots=True)
class ProposalTabled(Event, kind="proposal_tabled"):
    """A trade-off proposal: it is now the current one, and consents to earlier ones are void."""

    number: int
    by: str
    terms: Any  # issue -> option, or lines of text
    offer: str
    want: str
    rationale: str
    hash: str


@dataclass(frozen=True, slots=True)
class Discussed(Event, kind="discussed"):
    """An advocate spoke without a proposal."""

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class BallotCommitted(Event, kind="ballot_committed"):
    """An advocate is bound to a ballot that nobody has seen; an empty commitment: it needs no further ballot."""

    advocate: str
    round: int
    commitment: str


@dataclass(frozen=True, slots=True)
class BallotOpened(Event, kind="ballot_opened"):
    """The ballot that an advocate had committed to. `masks`: the hash of each mask's seed, by the other advocate."""

    advocate: str
    round: int
    ballot: str
    salt: str
    masks: Any


@dataclass(frozen=True, slots=True)
class MasksTold(Event, kind="masks_told"):
    """The seeds of the masks that an advocate shares with those who did not open theirs."""

    advocate: str
    round: int
    seeds: Any


@dataclass(frozen=True, slots=True)
class BallotForfeited(Event, kind="ballot_forfeited"):
    """An advocate did not open what it had committed to, or told no masks: it has no say in this decision any more."""

    advocate: str
    round: int
    why: str


@dataclass(frozen=True, slots=True)
class Passed(Event, kind="passed"):
    """An advocate let its turn go by. `why`: silence, or a check that the rules did not allow."""

    by: str
    why: str


@dataclass(frozen=True, slots=True)
class CheckCalled(Event, kind="check_called"):
    """Everyone is asked whether it consents to this proposal. `why`: who or what called it, where no advocate did."""

    by: str
    number: int
    hash: str
    terms: Any
    own_words: bool
    why: str


@dataclass(frozen=True, slots=True)
class Consented(Event, kind="consented"):
    """An advocate agrees to exactly this proposal."""

    advocate: str
    number: int
    hash: str


@dataclass(frozen=True, slots=True)
class Objected(Event, kind="objected"):
    """An advocate cannot agree. `silent`: it did not answer, which is an objection."""

    advocate: str
    number: int
    hash: str
    reason: str
    silent: bool


@dataclass(frozen=True, slots=True)
class StoodAside(Event, kind="stood_aside"):
    """An advocate does not support this proposal and does not stand in its way; only where the decision allows it."""

    advocate: str
    number: int
    hash: str
    reason: str


@dataclass(frozen=True, slots=True)
class CheckFailed(Event, kind="check_failed"):
    """The check is over and the proposal does not stand."""

    number: int
    hash: str
    objectors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeadlockFound(Event, kind="deadlock_found"):
    """The disclosed red lines cannot hold together: nothing can be agreed, so nothing more is asked."""

    conflict: tuple[str, ...]  # advocate: red line


@dataclass(frozen=True, slots=True)
class Ended(Event, kind="ended"):
    """The negotiation is over."""

    status: str
    reason: str
    turns: int
    speaking_turns: int
    number: int  # of the agreed proposal; 0 without one
    hash: str
    terms: Any


EVENTS: Mapping[str, type[Event]] = collect_event_types(globals())


@dataclass(frozen=True)
class Outcome:
    """How it ended: the status, why, and the agreed proposal if there is one."""

    status: Status
    reason: str
    turns: int
    speaking_turns: int
    number: int = 0
    hash: str = ""
    terms: Any = None
    consented: tuple[str, ...] = ()
    objected: tuple[str, ...] = field(default=())
    stood_aside: Mapping[str, str] = field(default_factory=dict)  # who, and why
    forfeited: tuple[str, ...] = ()  # whose ballot stayed shut: nobody asked for its consent

    @property
    def non_objectors(self) -> tuple[str, ...]:
        """Whom the agreement was weighed for: everybody who did not object. It crosses no red line of theirs."""
        return (*self.consented, *self.stood_aside)
