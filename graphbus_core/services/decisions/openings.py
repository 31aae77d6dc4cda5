"""A disclosed table that is opened in one step: what its first speaker proposes, with a line of what matters beside it.

Nobody is asked for a position before anybody knows what there is to choose. Whoever speaks first says what it proposes;
everybody is asked at once whether they agree, and may say what matters to them with the same answer. By the rules that
is a position, stated before the vote, so it is told first and the vote is kept for its question. Nothing is said for
anybody: where no line was written, the log has no position.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from graphbus_core.negotiation.consent.events import ConsentConfig, PositionMissed
from graphbus_core.negotiation.consent.protocol import ConsentProtocol
from graphbus_core.negotiation.consent.scenario.model import Scenario
from graphbus_core.negotiation.core import Answered, Ask, Json, Participant, Reply, View
from graphbus_core.services import answer_checks
from graphbus_core.sessions.consent.elicitation import SeatAnswerFile

KIND = "opening"
FOLDER = "openings"  # in the run's folder; that it is there says that the table is opened so
PROPOSE, WAIT = "propose", "wait"  # what the first speaker may do
PRIORITY = "priority"  # the line of what matters, beside a proposal and beside a vote
MAX_LINE = 2_000
NOT_ASKED = "it was not asked for one"
FIRST_TURN = "turn:1"


def explain_invalid_opening(ask: Ask, body: Json) -> str | None:
    """Why that is not an opening, in words its author can act on; None if it is one."""
    if body.get("way") == WAIT:
        return None
    if body.get("way") != PROPOSE:
        return f"'way' is {body.get('way')!r}; it is {PROPOSE!r} or {WAIT!r}"
    if (wrong := explain_invalid_line(body)) is not None:
        return wrong
    # As the rules judge it when it is put to everybody.
    return answer_checks.check_answer(
        "consent", replace(ask, kind="turn"), {"move": "check", "terms": body.get("terms")}
    )


def explain_invalid_line(body: Json) -> str | None:
    """Why what stands beside a proposal or a vote cannot be a line of what matters; None if it can, or is left out."""
    priority = body.get(PRIORITY, "")
    if isinstance(priority, str) and len(priority) <= MAX_LINE:
        return None
    return f"'{PRIORITY}' is a line of at most {MAX_LINE} characters"


def read_opening(folder: Path, people: Sequence[str], scenario: Scenario) -> Json | None:
    """What the first speaker of a run in `folder` proposes, once it was said; None where it said nothing, or waits."""
    first = scenario.names[0]
    if first not in people:
        return None
    kept = SeatAnswerFile(folder / FOLDER / f"{people.index(first)}.jsonl").kept.get(f"{KIND}:{first}")
    is_proposal = isinstance(kept, Mapping) and kept.get("way") == PROPOSE and isinstance(kept.get("terms"), Mapping)
    return kept if is_proposal else None


class OpeningTable:
    """What the first speaker proposes: the other seats wait for it where they are asked for a position."""

    def __init__(self, config: ConsentConfig, folder: Path) -> None:
        self.config, self.folder = config, folder
        self._is_told = asyncio.Event()
        self._opening: Json = {}

    def tell(self, opening: Json) -> None:
        """The first speaker has said this; empty where it said nothing."""
        self._opening = opening
        self._is_told.set()

    async def build_vote(self, name: str) -> Ask | None:
        """The question for this person's vote on what the first speaker proposes, as the protocol will put it; None
        where the protocol puts another question first."""
        await self._is_told.wait()
        if self._opening.get("way") != PROPOSE:
            return None
        protocol = ConsentProtocol()
        state = protocol.open(self.config)
        first, *others = self.config.scenario.names
        asks = {want.to: want for want in protocol.pending(state) if isinstance(want, Ask)}
        if first not in asks:
            return None
        position = _build_position(self._opening)
        heard = Answered(position) if position else None
        facts = [PositionMissed(first, NOT_ASKED) if heard is None else protocol.settle(state, asks[first], heard)]
        for fact in (*facts, *(PositionMissed(other, NOT_ASKED) for other in others)):
            state = protocol.evolve(state, fact)
        turn = next(protocol.pending(state), None)
        if protocol.advance(state) is not None or not isinstance(turn, Ask) or turn.id != FIRST_TURN:
            return None  # the mediator speaks first, or the turns cannot hold a vote
        move = {"move": "check", "terms": self._opening["terms"]}
        if protocol.check(turn, move) is not None:
            return None
        state = protocol.evolve(state, protocol.settle(state, turn, Answered(move)))
        return next((want for want in protocol.pending(state) if isinstance(want, Ask) and want.to == name), None)


class OpeningSeat:
    """A person at such a table. What it says is kept before it is used."""

    def __init__(self, person: Participant, table: OpeningTable, name: str, number: int) -> None:
        scenario = table.config.scenario
        self.person, self.table, self.name = person, table, name
        self.is_first = scenario.names[0] == name
        self.file = SeatAnswerFile(table.folder / f"{number}.jsonl")
        self.ask = _build_opening_ask(scenario, name)
        if self.is_first and (kept := self.file.kept.get(self.ask.id)) is not None:
            table.tell(kept)  # a resumed run asks nobody for a position twice

    async def answer(self, ask: Ask, view: View) -> Reply:
        """What the opening says, or the vote that came with a position; the person's own word for all else."""
        if ask.kind == "position":
            answer = await self._read_opening(view) if self.is_first else await self._read_vote(view)
            position = _build_position(answer)
            return Reply(position) if position else Reply(None, NOT_ASKED)
        if ask.id == FIRST_TURN and self.is_first and ask.about.get("proposal") is None and ask.about.get("may_check"):
            opening = await self._read_opening(view)
            if opening.get("way") == PROPOSE:
                return Reply({"move": "check", "terms": opening["terms"]})
            if opening.get("way") == WAIT:
                return Reply({"move": "pass"})
        kept = self.file.kept.get(ask.id, {})
        if kept.get("hash") and kept["hash"] == (ask.about.get("proposal") or {}).get("hash") and not view.refused:
            return Reply({key: value for key, value in kept.items() if key != PRIORITY})
        return await self.person.answer(ask, view)

    async def _read_opening(self, view: View) -> Json:
        kept = self.file.kept.get(self.ask.id)
        if kept is not None and explain_invalid_opening(self.ask, kept) is None:
            return dict(kept)
        reply = await self.person.answer(self.ask, View((), view.refused))
        opening = dict(reply.body or {})  # silent now: it is asked in its turn, as everybody is
        if opening:
            self.file.save(self.ask, opening)
        self.table.tell(opening)
        return opening

    async def _read_vote(self, view: View) -> Json:
        """The vote on what the first speaker proposes, with the position beside it; empty where there is none yet."""
        ask = await self.table.build_vote(self.name)
        if ask is None:
            return {}
        if ask.id in self.file.kept:
            return dict(self.file.kept[ask.id])
        about = {**ask.about, "text": "Do you agree?", "may_state_position": True}
        reply = await self.person.answer(replace(ask, about=about), View((), view.refused))
        if reply.body is None:
            return {}
        vote = {**reply.body, "hash": ask.about["proposal"]["hash"]}
        self.file.save(replace(ask, about=about), vote)
        return vote


def _build_position(said: Json) -> Json | None:
    """The line of what matters, as a position; None where nothing was written."""
    priority = str(said.get(PRIORITY) or "").strip()
    return {PRIORITY: priority} if priority else None


def _build_opening_ask(scenario: Scenario, name: str) -> Ask:
    others = [other for other in scenario.names if other != name]
    about: Mapping[str, object] = {
        "instructions": "You open this table. Say what you propose, and what matters to you, if you want to.",
        "answer": {"type": "object", "required": ["way"]},
        "topic": scenario.topic,
        "you": name,
        "others": others,
        "priority": scenario.find_advocate(name).priority,
        "text": "What do you propose?",
        "proposal": None,
        "may_check": True,
        "why_no_check": "",
        "issues": {
            issue.name: {"title": issue.title, "options": list(issue.options), "meanings": dict(issue.meanings)}
            for issue in scenario.issues
        },
    }
    return Ask(f"{KIND}:{name}", name, KIND, about)
