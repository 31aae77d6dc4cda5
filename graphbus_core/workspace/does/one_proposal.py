"""A build that carries one proposal: its agent tables it, nobody tables another, everybody judges as always."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.negotiation.core import Ask, Participant, Reply, View

NOT_ASKED = ("human", "decider", "arbiter")  # who never proposes


class _OnlyThis:
    """Somebody's seat, whose proposals are given. Every other question goes to whoever sits there."""

    def __init__(self, seat: Participant, proposals: list[dict[str, Any]]) -> None:
        self.seat, self.proposals = seat, proposals

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Given once: asked again, nothing is left to propose."""
        if ask.kind != "propose":
            return await self.seat.answer(ask, view)
        given, self.proposals = (self.proposals, []) if not view.refused else ([], self.proposals)
        return Reply({"proposals": given})


def only_this(seated: Mapping[str, Participant], proposal: Mapping[str, Any]) -> Mapping[str, Participant]:
    """Everybody, with what each may propose: `proposal` for its agent, nothing for the others."""
    body = {key: proposal[key] for key in ("diff", "summary", "rationale") if proposal.get(key)}
    return {
        name: seat if name in NOT_ASKED else _OnlyThis(seat, [body] if name == proposal["agent"] else [])
        for name, seat in seated.items()
    }
