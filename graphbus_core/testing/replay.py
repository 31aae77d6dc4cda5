"""Replay: a negotiation run again from its stored answers must give the same facts, byte for byte (design §2)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any, TypeVar

from graphbus_core.logs.memory import MemoryLog
from graphbus_core.negotiation.core import (
    Answers,
    Ask,
    Driver,
    Event,
    NegotiationProtocol,
    Participant,
    Reply,
    Session,
    View,
)
from graphbus_core.negotiation.core.driver import Effect

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - outcome


class SilentSeat:
    """A seat at which nobody sits: a question whose answer is not stored is silence."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Silence, noted in `asked`."""
        self.asked.append(ask.id)
        return Reply(None, "no answer is stored")


class _SameSeat(dict[str, Participant]):
    """The same participant in every seat."""

    def __init__(self, participant: Participant) -> None:
        super().__init__()
        self.one = participant

    def get(self, key: str, default: Any = None) -> Any:
        return self.one


def replay(
    protocol: NegotiationProtocol[Any, S, O],
    config: Any,
    answers: Answers,
    effect: Effect | None = None,
    seat: Participant | None = None,
) -> list[Event]:
    """The facts that `answers` lead to. Nobody is asked; what is not stored goes to `seat` (default: silence)."""

    async def run() -> list[Event]:
        log = MemoryLog()
        session = Session(protocol, config, log)
        await Driver(_SameSeat(seat or SilentSeat()), answers, effect).run(session)
        return log.events

    return asyncio.run(run())


def identity(events: Iterable[Event]) -> str:
    """What must be the same, byte for byte, when a negotiation is replayed: the facts without their envelope."""
    lines = (json.dumps([e.kind, e.to_dict()], sort_keys=True, ensure_ascii=False, default=list) for e in events)
    return "\n".join(lines)
