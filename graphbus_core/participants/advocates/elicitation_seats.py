"""Who answers the sealed mediator: a person at the terminal, or a program that has a table of scores."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from graphbus_core.negotiation.consent.elicitation.questions import (
    BY_ITSELF,
    DEPENDS,
    Query,
    QueryKind,
    compute_grades,
)
from graphbus_core.negotiation.consent.questions import STAND_ASIDE
from graphbus_core.negotiation.consent.scenario.model import Advocate, Scenario
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.people.terminal import Read, Write, read_line, render_vote_question


class ScoreTableSeat:
    """Answers truthfully from an advocate's scores, and tells nobody else of them."""

    def __init__(self, scenario: Scenario, seat: Advocate) -> None:
        self.scenario, self.seat = scenario, seat

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The answer that the scores give."""
        seat = self.seat
        if ask.kind == "red_lines":
            return Reply({"lines": []})  # those of the file bind already
        if ask.kind == "minimum":
            low = seat.least
            room = seat.ceiling - low
            return Reply({"share": max(0.0, min(100.0, 100 * (seat.floor - low) / room)) if room > 0 else 0.0})
        if ask.kind == "consent":
            outcome = self.scenario.parse_terms(ask.about["proposal"]["terms"])
            fine = seat.score(outcome) >= seat.floor - 1e-9 and not ask.about["red_lines_crossed"]
            return Reply({"answer": "consent"} if fine else {"answer": "object", "reason": "No deal is better for me."})
        if ask.kind == "dependence":
            # A condition on one issue alone adds up like any score.
            joint = any(c.score and len(c.when) > 1 for c in self.seat.conditionals)
            return Reply({"choice": DEPENDS if joint else BY_ITSELF})
        if ask.kind != "compare":
            return Reply({"choice": 1})
        return Reply(self._compare(Query.from_dict(ask.about["question"])))

    def _compare(self, question: Query) -> dict[str, Any]:
        rows = self.seat.scores or tuple((0.0,) * len(i.options) for i in self.scenario.issues)
        if question.kind is QueryKind.OPTIONS:
            row = rows[question.issue]
            return {"grades": compute_grades(row, min(row), max(row))}
        if question.kind is QueryKind.SWING:
            worst, best = question.packages
            gain = [row[b] - row[w] for row, w, b in zip(rows, worst, best, strict=True)]
            return {"grades": compute_grades(gain, 0.0, max(gain))}
        worth = [self.seat.score(p) for p in question.packages]
        if question.kind is QueryKind.DEALS:
            # "Any deal will do" is said by a share of 0: no deal is then as good as the worst one, and never worse.
            worth += [max(self.seat.floor, self.seat.least)] if question.none else []
            return {"grades": compute_grades(worth, min(worth), max(worth))}
        if question.kind is QueryKind.DEAL:
            return {"choice": 1 if worth[0] >= self.seat.floor else 2}
        return {"choice": 3 if worth[0] == worth[1] else 1 if worth[0] > worth[1] else 2}


class SharedTerminal:
    """People at one terminal, one after the other: each is told whose turn it is, and the screen says so."""

    def __init__(self, read: Read | None = None, write: Write = print, to_stderr: bool = False) -> None:
        self.read = read or (lambda prompt: read_line(prompt, to_stderr))
        self.write = write
        self._one = asyncio.Lock()
        self._last = ""

    async def answer(self, ask: Ask, view: View) -> Reply:
        """What the person types. The end of input is silence."""
        async with self._one:
            try:
                return Reply(await asyncio.to_thread(self._read_answer, ask, view))
            except EOFError:
                return Reply(None, "the input ended")

    def _read_answer(self, ask: Ask, view: View) -> Mapping[str, Any]:
        about = ask.about
        if self._last != ask.to:
            self.write(f"\n--- {ask.to}: only you should see this ---")
            self._last = ask.to
        for why in view.refused[-1:]:
            self.write(f"That could not be taken: {why}.")
        if ask.kind == "consent":
            return self._read_vote(about)
        self.write(about["text"])
        for number, text in about["answers"].items():
            self.write(f"  {number}. {text}")
        if ask.kind == "red_lines":
            return {"lines": self._read_lines()}
        line = self.read("> ").strip()
        if ask.kind == "minimum":
            return {"share": _parse_number(line or "0")}
        wants_grades = ask.kind == "compare" and "grades" in about["answer"]["properties"]
        numbers = [_parse_number(part) for part in line.replace(",", " ").split()]
        return {"grades": numbers} if wants_grades else {"choice": numbers[0] if len(numbers) == 1 else line}

    def _read_lines(self) -> list[str]:
        out = []
        while line := self.read("(one sentence, empty to end) > ").strip():
            out.append(line)
        return out

    def _read_vote(self, about: Mapping[str, Any]) -> dict[str, Any]:
        self.write("The mediator proposes:")
        for name, option in about["proposal"]["terms"].items():
            self.write(f"  - {name}: {option}")
        for line in about["red_lines_crossed"]:
            self.write(f"This crosses your own red line: {line}.")
        may = bool(about.get(STAND_ASIDE))
        # The seed's own words, `[CONSENT]` and `[OBJECT: reason]`, are answers as they stand.
        word, _, reason = self.read(render_vote_question(may)).strip().strip("[]").partition(":")
        vote = word.strip().lower()
        if vote in ("c", "consent", "done"):
            return {"answer": "consent", "hash": about["proposal"]["hash"]}
        if vote in ("o", "object"):
            return {"answer": "object", "reason": reason.strip() or self.read("Why? ").strip() or "no reason given"}
        if may and vote in ("s", "stand aside"):
            return {"answer": STAND_ASIDE, "reason": self.read("Why? ").strip()}
        return {"answer": vote}


def _parse_number(text: str) -> Any:
    try:
        value = float(text)
    except ValueError:
        return text
    return int(value) if value.is_integer() else value
