"""A person at the terminal as an advocate: shown what was said, asked for one thing at a time."""

from __future__ import annotations

import sys
from typing import Any

from graphbus_core.negotiation.consent.answers import STAND_ASIDE
from graphbus_core.negotiation.core import Ask, Json, View
from graphbus_core.participants.people.human import Read, TerminalParticipant, Write, read_line


class TerminalAdvocate(TerminalParticipant):
    """Asks a person for a position, a move or a consent. An end of input is silence, and silence is an objection.

    `to_stderr`: where stdout is for a program, the person is asked on stderr.
    """

    def __init__(self, read: Read | None = None, write: Write = print, to_stderr: bool = False) -> None:
        def ask(prompt: str) -> str:
            return read_line(prompt, to_stderr)

        def tell(text: str) -> None:
            print(text, file=sys.stderr, flush=True)

        super().__init__(read or ask, tell if to_stderr else write)

    def _ask(self, ask: Ask, view: View) -> Json:
        for why in view.refused[-1:]:
            self.write(f"That could not be taken: {why}")
        about = ask.about
        self.write(f"\n{about['topic']} — you are {about['you']} ({about['priority'] or 'no priority given'}).")
        if ask.kind == "position":
            return self._position(about)
        self._show(about)
        return self._turn_move(about) if ask.kind == "turn" else self._consent(about)

    def _position(self, about: Json) -> dict[str, Any]:
        given = about["given"]
        questions = (
            ("priority", "What do you advocate for?", given["priority"] or about["priority"]),
            ("rationale", "Why does it matter?", given["rationale"]),
            ("red_line", "What can you not compromise on?", given["red_line"]),
            ("willing_to_trade", "What can you give up?", given["willing_to_trade"]),
        )
        return {field: self._line(text, default) for field, text, default in questions}

    def _show(self, about: Json) -> None:
        if about["issues"]:
            for name, issue in about["issues"].items():
                title = f" ({issue['title']})" if issue["title"] else ""
                self.write(f"  {name}{title}: {', '.join(issue['options'][:20])}")
        proposal = about["proposal"]
        if proposal is None:
            self.write("Nothing is proposed yet.")
            return
        self.write(f"Proposal {proposal['number']} by {proposal['by']}:")
        terms = proposal["terms"]
        for line in [f"{k}: {v}" for k, v in terms.items()] if isinstance(terms, dict) else terms:
            self.write(f"  - {line}")
        for name, reason in (proposal.get("objections") or {}).items():
            self.write(f"  {name} objects: {reason}")

    def _turn_move(self, about: Json) -> dict[str, Any]:
        while True:
            said = self.read("[p]ropose, [d]iscuss, call a consent [c]heck, or p[a]ss: ").strip().lower()
            if said in ("p", "propose"):
                return self._proposal(about)
            if said in ("d", "discuss"):
                return {"move": "discuss", "text": self._line("What do you say?", "")}
            if said in ("c", "check"):
                return {"move": "check"}
            if said in ("a", "pass"):
                return {"move": "pass", "why": ""}
            self.write("Please answer p, d, c or a.")

    def _proposal(self, about: Json) -> dict[str, Any]:
        body: dict[str, Any] = {"move": "propose"}
        if about["issues"]:
            current = (about["proposal"] or {}).get("terms") or {}
            body["terms"] = {
                name: self._line(f"{name} ({', '.join(issue['options'][:12])})", current.get(name, issue["options"][0]))
                for name, issue in about["issues"].items()
            }
        for field, text in (("offer", "I offer"), ("want", "I want"), ("rationale", "Because")):
            body[field] = self._line(text, "")
        return body

    def _consent(self, about: Json) -> dict[str, Any]:
        for line in about["red_lines_crossed"]:
            self.write(f"This crosses your own red line: {line}.")
        may = bool(about.get(STAND_ASIDE))
        while True:
            said = self.read(vote_question(may)).strip().lower()
            if said in ("c", "consent"):
                return {"answer": "consent", "hash": about["proposal"]["hash"]}
            if said in ("o", "object"):
                return {"answer": "object", "reason": self._line("Why?", "no reason given")}
            if may and said in ("s", "stand aside", STAND_ASIDE):
                return {"answer": STAND_ASIDE, "reason": self._line("Why?", "")}
            self.write(f"Please answer c{', s' if may else ''} or o.")

    def _line(self, text: str, default: str) -> str:
        shown = f" [{default}]" if default else ""
        return self.read(f"{text}{shown} ").strip() or default


def vote_question(may_stand_aside: bool) -> str:
    """What a person at a terminal is asked at a check."""
    if may_stand_aside:
        return "Do you [c]onsent, [s]tand aside or [o]bject? "
    return "Do you [c]onsent or [o]bject? "
