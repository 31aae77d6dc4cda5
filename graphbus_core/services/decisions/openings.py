"""A disclosed table that is opened in one step: what its first speaker proposes, with a line of what matters beside it.

Nobody is asked for a position before anybody knows what there is to choose. Whoever speaks first says what it proposes;
everybody is asked at once whether they agree. What matters to the others stands with what they propose, if they do.
Nothing is said for anybody: where no line was written, the log has no position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from graphbus_core.negotiation.consent.scenario.model import Scenario
from graphbus_core.negotiation.core import Ask, Json, Participant, Reply, View
from graphbus_core.services import answer_checks
from graphbus_core.sessions.consent.elicitation import SeatAnswerFile

KIND = "opening"
FOLDER = "openings"  # in the run's folder; that it is there says that the table is opened so
PROPOSE, WAIT = "propose", "wait"  # what the first speaker may do
MAX_LINE = 2_000
NOT_ASKED = "it was not asked for one"
FIRST_TURN = "turn:1"


def explain_invalid_opening(ask: Ask, body: Json) -> str | None:
    """Why that is not an opening, in words its author can act on; None if it is one."""
    if body.get("way") == WAIT:
        return None
    if body.get("way") != PROPOSE:
        return f"'way' is {body.get('way')!r}; it is {PROPOSE!r} or {WAIT!r}"
    priority = body.get("priority", "")
    if not isinstance(priority, str) or len(priority) > MAX_LINE:
        return f"'priority' is a line of at most {MAX_LINE} characters"
    # As the rules judge it when it is put to everybody.
    return answer_checks.check_answer(
        "consent", replace(ask, kind="turn"), {"move": "check", "terms": body.get("terms")}
    )


class OpeningSeat:
    """A person at such a table. What the first speaker says is kept before it is used."""

    def __init__(self, person: Participant, scenario: Scenario, name: str, file: Path) -> None:
        self.person, self.name = person, name
        self.is_first = scenario.names[0] == name
        self.file = SeatAnswerFile(file)
        self.ask = _build_opening_ask(scenario, name)

    async def answer(self, ask: Ask, view: View) -> Reply:
        """What the opening says; the person's own word for everything after it."""
        if ask.kind == "position":
            priority = (await self._read_opening(view)).get("priority", "").strip() if self.is_first else ""
            return Reply({"priority": priority}) if priority else Reply(None, NOT_ASKED)
        if ask.id == FIRST_TURN and self.is_first and ask.about.get("proposal") is None and ask.about.get("may_check"):
            opening = await self._read_opening(view)
            if opening.get("way") == PROPOSE:
                return Reply({"move": "check", "terms": opening["terms"]})
            if opening.get("way") == WAIT:
                return Reply({"move": "pass"})
        return await self.person.answer(ask, view)

    async def _read_opening(self, view: View) -> Json:
        kept = self.file.kept.get(self.ask.id)
        if kept is not None and explain_invalid_opening(self.ask, kept) is None:
            return dict(kept)
        reply = await self.person.answer(self.ask, View((), view.refused))
        if reply.body is None:
            return {}  # silent now: it is asked in its turn, as everybody is
        self.file.save(self.ask, dict(reply.body))
        return dict(reply.body)


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
