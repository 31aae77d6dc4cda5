"""`LLMAgent`: the seed's face of a model that speaks for one agent (seed 002 §4.1, "LLMAgent").

It wraps any participant, so that a program can put the seed's four questions without a negotiation around them. In a
build the session asks; this is for tools and notebooks. Each method is a coroutine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphbus_core.errors import ParticipantError
from graphbus_core.negotiation.core import UNREADABLE, Ask, Json, Participant, View

ANALYSIS = """\
Read your source and your contracts. Say what you see that a negotiation should know: mismatches with neighbours, values
that are returned but not declared, unclear names, missing checks. Do not propose changes here."""
ANALYSIS_ANSWER: dict[str, Any] = {
    "type": "object",
    "required": ["summary", "findings"],
    "properties": {"summary": {"type": "string"}, "findings": {"type": "array", "items": {"type": "string"}}},
}
ATTEMPTS = 3


class LLMAgent:
    """One agent with a model. `card` is what it knows of itself, `neighbours` the contracts of those it touches.

    Every method raises ParticipantError, with the cause, where no usable answer came.
    """

    def __init__(self, card: Json, participant: Participant, neighbours: Sequence[Json] = ()) -> None:
        self.card = card
        self.name = str(card["name"])
        self.participant = participant
        self.neighbours = list(neighbours)
        self._asked = 0

    async def analyze_code(self) -> dict[str, Any]:
        """`{"summary": …, "findings": [...]}` about its own source."""
        return await self._ask("analyze", {"instructions": ANALYSIS, "answer": ANALYSIS_ANSWER})

    async def propose_improvement(
        self, intent: str | None = None, mismatches: Sequence[Json] = (), history: Sequence[Json] = (), round: int = 1
    ) -> list[dict[str, Any]]:
        """The bodies of its proposals; empty where nothing is worth its cost."""
        about: dict[str, Any] = {
            "intent": intent,
            "goals": [],
            "mismatches": list(mismatches),
            "history": list(history),
            "limits": {},
        }
        return list((await self._ask("propose", {"round": round, **about}))["proposals"])

    async def evaluate_proposal(
        self, proposal: Json, computed: Json | None = None, history: Sequence[Json] = (), round: int = 1
    ) -> dict[str, Any]:
        """Its evaluation of `proposal` (`Proposal.to_dict()`)."""
        about = {"round": round, "proposal": proposal, "computed": dict(computed or {}), "history": list(history)}
        return await self._ask("evaluate", about)

    async def arbitrate_conflict(
        self, proposal: Json | Sequence[Json], evaluations: Iterable[Json], round: int = 1
    ) -> dict[str, Any]:
        """Its ruling on one proposal, or on several that conflict."""
        proposals = [proposal] if isinstance(proposal, Mapping) else list(proposal)
        about = {
            "round": round,
            "proposals": proposals,
            "evaluations": list(evaluations),
            "computed": {},
            "history": [],
        }
        return await self._ask("arbitrate", about)

    async def _ask(self, kind: str, about: dict[str, Any]) -> dict[str, Any]:
        self._asked += 1
        about = {"card": self.card, "neighbours": self.neighbours, **about}
        refused: list[str] = []
        for attempt in range(1, ATTEMPTS + 1):
            ask = Ask(f"{self.name}/{kind}/{self._asked}#{attempt}", self.name, kind, about)
            reply = await self.participant.answer(ask, View((), tuple(refused)))
            if reply.body is None:
                raise ParticipantError(f"{self.name} did not answer: {reply.why}")
            if UNREADABLE not in reply.body:
                return dict(reply.body)
            refused.append(str(reply.body[UNREADABLE]))
        raise ParticipantError(f"{self.name}: {ATTEMPTS} answers could not be read, the last because {refused[-1]}.")
