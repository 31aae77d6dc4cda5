"""Ports: where facts and answers are kept. The stores implement them; nothing here touches a disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from graphbus_core.negotiation.core.protocol import Ask, Event, Json


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact with its place: `seq` counts from 1. `at` (epoch seconds) is envelope, never identity."""

    seq: int
    event: Event
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a participant said to one ask, before anyone judged it. `body` None: silence, `why` says of what kind.

    `usage` (tokens, money, seconds, model) is envelope: it is reported, and changes no outcome.
    """

    body: Json | None
    why: str | None = None
    usage: dict[str, Any] = field(default_factory=dict)


class Log(Protocol):
    """An append-only log of facts, with one writer."""

    def append(self, events: Sequence[Event]) -> None:
        """Add facts, durably where the store is durable, before returning."""

    def __iter__(self) -> Iterator[Entry]:
        """All facts, oldest first."""

    def __len__(self) -> int:
        """How many there are."""


class Answers(Protocol):
    """Every reply that was received, kept *before* it is used, because it may have cost money."""

    def get(self, ask_id: str) -> Reply | None:
        """The reply to this ask, or None."""

    def put(self, ask_id: str, reply: Reply) -> Reply:
        """Keep a reply; the first one wins. Returns the one that is kept."""


# Who sits at the table: anything that can answer a question. The engine cannot tell them apart.


@dataclass(frozen=True, slots=True)
class View:
    """What a participant may see when it is asked: facts with their sequence numbers, oldest first.

    `refused` holds why its earlier answers to this same question were not accepted, oldest first.
    """

    facts: Iterable[tuple[int, Event]]
    refused: tuple[str, ...] = ()


class Participant(Protocol):
    """One seat at the table."""

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The answer to `ask`. A failure that is over with this question is a Reply without a body.

        Raise ParticipantError only where no question will ever be answered (a missing key).
        """
