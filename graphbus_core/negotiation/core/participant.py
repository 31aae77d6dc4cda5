"""Who sits at the table: anything that can answer a question. The engine cannot tell them apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from graphbus_core.negotiation.core.log import Reply
from graphbus_core.negotiation.core.protocol import Ask, Event


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
