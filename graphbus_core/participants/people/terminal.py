"""A person at the terminal as an advocate: shown what was said, asked for one thing at a time."""

from __future__ import annotations

import asyncio
import json
import os
import select
import sys
import threading
from collections.abc import Callable
from typing import Any

from graphbus_core.negotiation.consent.questions import STAND_ASIDE
from graphbus_core.negotiation.core import Ask, Json, Reply, View
from graphbus_core.participants.threads import run_in_thread
from graphbus_core.text import escape_text

# A person at the terminal: shown what is asked in plain words, and taken at their word.


Read = Callable[[str], str]
Write = Callable[[str], None]

_thread_state = threading.local()  # `called_off`: set once nobody waits for the line that this thread reads


def read_line(prompt: str, to_stderr: bool = False) -> str:
    """A line from standard input, without its end; the prompt goes to stdout or stderr.

    Raises EOFError at the end of input, and where it was called off.

    Not `input`: a thread that blocks there holds a lock that the interpreter cannot end with, and reads on after
    Ctrl-C. Bytes are taken one by one, so that what follows the line stays for whoever reads next.
    """
    print(prompt, end="", flush=True, file=sys.stderr if to_stderr else sys.stdout)
    try:
        fd = sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):
        return input()  # no file: a test's, or an embedding program's
    called_off: threading.Event | None = getattr(_thread_state, "called_off", None)
    line = bytearray()
    while not line.endswith(b"\n"):
        select.select([fd], [], [])
        if called_off is not None and called_off.is_set():
            raise EOFError
        byte = os.read(fd, 1)
        if not byte:
            if line:
                break
            raise EOFError
        line += byte
    return line.decode(sys.stdin.encoding or "utf-8", "replace").rstrip("\r\n")


class TerminalParticipant:
    """Asks a person, one question at a time. `read` prompts for a line, `write` shows text.

    An end of input is silence, never a yes. What others wrote is shown, not obeyed.
    """

    def __init__(self, read: Read = read_line, write: Write = print) -> None:
        self.read: Read = lambda prompt: read(escape_text(prompt))
        self.write: Write = lambda text: write(escape_text(text))
        self._turn = asyncio.Lock()

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The person's answer; silence when the input ends."""
        async with self._turn:
            try:
                return Reply(await self._ask_in_thread(ask, view))
            except EOFError:
                return Reply(None, "the person at the terminal did not answer (end of input)")

    async def _ask_in_thread(self, ask: Ask, view: View) -> Json:
        called_off = threading.Event()

        def run() -> Json:
            _thread_state.called_off = called_off
            return self._ask(ask, view)

        try:
            return await run_in_thread(run, "terminal")
        finally:
            called_off.set()

    def _ask(self, ask: Ask, view: View) -> Json:
        for why in view.refused[-1:]:
            self.write(f"That answer could not be taken: {why}")
        if ask.kind == "approve":
            return self._ask_approval(ask)
        if ask.kind == "choose":
            return self._ask_choice(ask)
        return self._ask_json(ask)

    def _ask_approval(self, ask: Ask) -> Json:
        proposal = ask.about.get("proposal", {})
        self.write(f"\n{proposal.get('proposer')} proposes: {proposal.get('summary') or proposal.get('rationale')}")
        self.write(str(ask.about.get("unified_diff") or json.dumps(proposal.get("diff"), indent=2)))
        while True:
            line = self.read("Commit this? [y]es / [n]o: ").strip().lower()
            if line in ("y", "yes"):
                return {"approve": True, "reason": ""}
            if line in ("n", "no"):
                return {"approve": False, "reason": self.read("Why not? (Enter to say nothing) ").strip()}
            self.write("Please answer y or n.")

    def _ask_choice(self, ask: Ask) -> Json:
        self.write(f"\n{ask.about.get('question')}")
        names = [str(c["name"]) for c in ask.about["candidates"]]
        for number, candidate in enumerate(ask.about["candidates"], 1):
            self.write(f"  {number}  {candidate['name']}: {candidate['says']}")
        while True:
            line = self.read(f"What is meant? 1-{len(names)}, or [n]one: ").strip().lower()
            if line in ("n", "none"):
                return {"choice": "none", "reason": self.read("Why? (Enter to say nothing) ").strip()}
            if line.isdecimal() and len(line) < 10 and 1 <= int(line) <= len(names):
                return {"choice": names[int(line) - 1], "reason": ""}
            self.write("Please answer with a number of the list, or n.")

    def _ask_json(self, ask: Ask) -> Json:
        self.write(f"\n{ask.to} is asked to {ask.kind}:")
        self.write(json.dumps(dict(ask.about), indent=2, default=str))
        while True:
            line = self.read("Answer (one line of JSON): ")
            try:
                body = json.loads(line)
            except ValueError as e:
                self.write(f"That is not JSON: {e}")
                continue
            if isinstance(body, dict):
                return body
            self.write("An answer is a JSON object, in braces.")


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
            return self._ask_position(about)
        self._show(about)
        return self._ask_move(about) if ask.kind == "turn" else self._ask_consent(about)

    def _ask_position(self, about: Json) -> dict[str, Any]:
        stated = about["given"]
        questions = (
            ("priority", "What do you advocate for?", stated["priority"] or about["priority"]),
            ("rationale", "Why does it matter?", stated["rationale"]),
            ("red_line", "What can you not compromise on?", stated["red_line"]),
            ("willing_to_trade", "What can you give up?", stated["willing_to_trade"]),
        )
        return {field: self._ask_line(text, default) for field, text, default in questions}

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

    def _ask_move(self, about: Json) -> dict[str, Any]:
        while True:
            line = self.read("[p]ropose, [d]iscuss, call a consent [c]heck, or p[a]ss: ").strip().lower()
            if line in ("p", "propose"):
                return self._ask_proposal(about)
            if line in ("d", "discuss"):
                return {"move": "discuss", "text": self._ask_line("What do you say?", "")}
            if line in ("c", "check"):
                return {"move": "check"}
            if line in ("a", "pass"):
                return {"move": "pass", "why": ""}
            self.write("Please answer p, d, c or a.")

    def _ask_proposal(self, about: Json) -> dict[str, Any]:
        body: dict[str, Any] = {"move": "propose"}
        if about["issues"]:
            current = (about["proposal"] or {}).get("terms") or {}
            body["terms"] = {
                name: self._ask_line(
                    f"{name} ({', '.join(issue['options'][:12])})", current.get(name, issue["options"][0])
                )
                for name, issue in about["issues"].items()
            }
        for field, text in (("offer", "I offer"), ("want", "I want"), ("rationale", "Because")):
            body[field] = self._ask_line(text, "")
        return body

    def _ask_consent(self, about: Json) -> dict[str, Any]:
        for line in about["red_lines_crossed"]:
            self.write(f"This crosses your own red line: {line}.")
        may = bool(about.get(STAND_ASIDE))
        while True:
            said = self.read(render_vote_question(may)).strip()
            # The seed's own words, `[CONSENT]` and `[OBJECT: reason]`, are answers as they stand.
            word, _, reason = said.strip("[]").partition(":")
            vote = word.strip().lower()
            if vote in ("c", "consent", "done"):
                return {"answer": "consent", "hash": about["proposal"]["hash"]}
            if vote in ("o", "object"):
                return {"answer": "object", "reason": reason.strip() or self._ask_line("Why?", "no reason given")}
            if may and vote in ("s", "stand aside", STAND_ASIDE):
                return {"answer": STAND_ASIDE, "reason": self._ask_line("Why?", "")}
            self.write(f"Please answer c{', s' if may else ''} or o.")

    def _ask_line(self, text: str, default: str) -> str:
        hint = f" [{default}]" if default else ""
        return self.read(f"{text}{hint} ").strip() or default


def render_vote_question(may_stand_aside: bool) -> str:
    """What a person at a terminal is asked at a check."""
    if may_stand_aside:
        return "Do you [c]onsent, [s]tand aside or [o]bject? "
    return "Do you [c]onsent or [o]bject? "
