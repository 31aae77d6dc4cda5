"""One ballot for a whole sealed decision: a person fills it in once, and the mediator's questions are answered from it.

What a person says of each option is a table of points, as a scenario may hold one for a program. So the questions that
a table can answer are answered by what answers them for programs. Whatever it cannot say stays the person's: whether a
red line was read as it was meant, and the vote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphbus_core.negotiation.consent.scenario.model import Scenario
from graphbus_core.negotiation.core import Ask, Json, Participant, Reply, View
from graphbus_core.participants.advocates.elicitation_seats import ScoreTableSeat
from graphbus_core.sessions.consent.elicitation import SeatAnswerFile

KIND = "ballot"
FOLDER = "ballots"  # in the run's folder, one file a seat; that it is there says that whole ballots were asked for
TOP = 10  # points for what matters most
MAX_LINES, MAX_LINE = 40, 2_000
BALLOT, QUESTIONS = "ballot", "questions"  # how a person wants to be asked
# What a table of points cannot say: these questions always go to the person.
OWN = ("read_back", "contradiction", "consent")
WORDS = (
    "Say how much you like each. Keep the best for what matters most to you of all; what you leave counts as a no. "
    "Nobody else at the table is shown your ballot, not even whoever opened it. It lies in a file of the server, which "
    "whoever operates that machine could open."
)


def explain_invalid_ballot_paper(ask: Ask, body: Json) -> str | None:
    """Why that is not a ballot, in words its author can act on; None if it is one."""
    if body.get("way") == QUESTIONS:
        return None
    if body.get("way") != BALLOT:
        return f"'way' is {body.get('way')!r}; it is {BALLOT!r} or {QUESTIONS!r}"
    points = body.get("points", {})
    issues: Mapping[str, Any] = ask.about["issues"]
    if not isinstance(points, Mapping):
        return "'points' names issues, and the points of their options: {issue: {option: points}}"
    for name, row in points.items():
        if name not in issues:
            return f"there is no issue {name!r}; there are {', '.join(issues)}"
        wrong = _explain_invalid_row(name, issues[name]["options"], row)
        if wrong:
            return wrong
    share = body.get("share", 0)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 100:
        return "'share' is a number from 0 to 100"
    lines = body.get("lines", [])
    fine = isinstance(lines, list) and len(lines) <= MAX_LINES
    if not fine or not all(isinstance(line, str) and len(line) <= MAX_LINE for line in lines):
        return f"'lines' is a list of at most {MAX_LINES} sentences"
    return None


def _explain_invalid_row(issue: str, options: list[str], row: Any) -> str | None:
    if not isinstance(row, Mapping):
        return f"{issue!r} has points by option: {{option: points}}"
    for option, points in row.items():
        if option not in options:
            return f"{issue!r} has no option {option!r}; it has {', '.join(options)}"
        if isinstance(points, bool) or not isinstance(points, int) or not 0 <= points <= TOP:
            return f"{option!r} gets whole points from 0 to {TOP}"
    return None


class BallotSeat:
    """A person who fills in one ballot, kept before it is used. `person`: whoever answers what no ballot can say."""

    def __init__(self, person: Participant, scenario: Scenario, name: str, file: Path) -> None:
        self.person, self.scenario, self.name = person, scenario, name
        self.file = SeatAnswerFile(file)
        self.ask = _build_ballot_ask(scenario, name)

    async def answer(self, ask: Ask, view: View) -> Reply:
        """What the ballot says; the person's own word where it says nothing."""
        # The id, because a second try at a red line in other words is a question of the same kind.
        if ask.kind in OWN or (ask.kind == "red_lines" and ask.id != f"red_lines:{ask.to}"):
            return await self.person.answer(ask, view)
        ballot = await self._read_ballot(view)
        if ballot.get("way") != BALLOT:
            return await self.person.answer(ask, view)
        if ask.kind == "red_lines":
            return Reply({"lines": list(ballot.get("lines", []))})
        if ask.kind == "minimum":
            return Reply({"share": ballot.get("share", 0)})
        return await self._build_table(ballot).answer(ask, view)

    async def _read_ballot(self, view: View) -> Json:
        kept = self.file.kept.get(self.ask.id)
        if kept is not None and explain_invalid_ballot_paper(self.ask, kept) is None:
            return dict(kept)
        reply = await self.person.answer(self.ask, View((), view.refused))
        if reply.body is None:
            return {"way": QUESTIONS}  # silent now: asked again by whatever is asked next
        self.file.save(self.ask, dict(reply.body))
        return dict(reply.body)

    def _build_table(self, ballot: Json) -> ScoreTableSeat:
        points = ballot.get("points", {})
        rows = tuple(
            tuple(float(points.get(issue.name, {}).get(option, 0)) for option in issue.options)
            for issue in self.scenario.issues
        )
        seat = replace(self.scenario.find_advocate(self.name), scores=rows, conditionals=(), minimum=None)
        least = seat.least + (seat.ceiling - seat.least) * float(ballot.get("share", 0)) / 100
        return ScoreTableSeat(self.scenario, replace(seat, minimum=least))


def read_ballot(folder: Path, people: Sequence[str], name: str | None) -> Json | None:
    """The ballot that this person has handed in, of a run in `folder`; None where there is none."""
    if name not in people:
        return None
    kept = SeatAnswerFile(folder / FOLDER / f"{people.index(name)}.jsonl").kept.get(f"{KIND}:{name}")
    return kept if isinstance(kept, Mapping) and kept.get("way") == BALLOT else None


def _build_ballot_ask(scenario: Scenario, name: str) -> Ask:
    seat = scenario.find_advocate(name)
    about = {
        "instructions": WORDS,
        "answer": {"type": "object", "required": ["way"]},
        "topic": scenario.topic,
        "you": name,
        "priority": seat.priority,
        "text": "What is it worth to you?",
        "says": WORDS,
        "issues": {
            issue.name: {"title": issue.title, "options": list(issue.options), "meanings": dict(issue.meanings)}
            for issue in scenario.issues
        },
    }
    return Ask(f"{KIND}:{name}", name, KIND, about)
