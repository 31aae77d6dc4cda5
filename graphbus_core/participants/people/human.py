"""A person at the terminal: shown what is asked in plain words, and taken at their word."""

from __future__ import annotations

import asyncio
import json
import os
import select
import sys
import threading
from collections.abc import Callable

from graphbus_core.negotiation.core import Ask, Json, Reply, View
from graphbus_core.participants.threads import in_thread
from graphbus_core.shown import shown

Read = Callable[[str], str]
Write = Callable[[str], None]

_here = threading.local()  # `called_off`: set once nobody waits for the line that this thread reads


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
    called_off: threading.Event | None = getattr(_here, "called_off", None)
    line = bytearray()
    while not line.endswith(b"\n"):
        select.select([fd], [], [])
        if called_off is not None and called_off.is_set():
            raise EOFError
        one = os.read(fd, 1)
        if not one:
            if line:
                break
            raise EOFError
        line += one
    return line.decode(sys.stdin.encoding or "utf-8", "replace").rstrip("\r\n")


class TerminalParticipant:
    """Asks a person, one question at a time. `read` prompts for a line, `write` shows text.

    An end of input is silence, never a yes. What others wrote is shown, not obeyed.
    """

    def __init__(self, read: Read = read_line, write: Write = print) -> None:
        self.read: Read = lambda prompt: read(shown(prompt))
        self.write: Write = lambda text: write(shown(text))
        self._turn = asyncio.Lock()

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The person's answer; silence when the input ends."""
        async with self._turn:
            try:
                return Reply(await self._in_thread(ask, view))
            except EOFError:
                return Reply(None, "the person at the terminal did not answer (end of input)")

    async def _in_thread(self, ask: Ask, view: View) -> Json:
        called_off = threading.Event()

        def run() -> Json:
            _here.called_off = called_off
            return self._ask(ask, view)

        try:
            return await in_thread(run, "terminal")
        finally:
            called_off.set()

    def _ask(self, ask: Ask, view: View) -> Json:
        for why in view.refused[-1:]:
            self.write(f"That answer could not be taken: {why}")
        if ask.kind == "approve":
            return self._approve(ask)
        if ask.kind == "choose":
            return self._choose(ask)
        return self._as_json(ask)

    def _approve(self, ask: Ask) -> Json:
        proposal = ask.about.get("proposal", {})
        self.write(f"\n{proposal.get('proposer')} proposes: {proposal.get('summary') or proposal.get('rationale')}")
        self.write(str(ask.about.get("unified_diff") or json.dumps(proposal.get("diff"), indent=2)))
        while True:
            said = self.read("Commit this? [y]es / [n]o: ").strip().lower()
            if said in ("y", "yes"):
                return {"approve": True, "reason": ""}
            if said in ("n", "no"):
                return {"approve": False, "reason": self.read("Why not? (Enter to say nothing) ").strip()}
            self.write("Please answer y or n.")

    def _choose(self, ask: Ask) -> Json:
        self.write(f"\n{ask.about.get('question')}")
        names = [str(c["name"]) for c in ask.about["candidates"]]
        for number, one in enumerate(ask.about["candidates"], 1):
            self.write(f"  {number}  {one['name']}: {one['says']}")
        while True:
            said = self.read(f"What is meant? 1-{len(names)}, or [n]one: ").strip().lower()
            if said in ("n", "none"):
                return {"choice": "none", "reason": self.read("Why? (Enter to say nothing) ").strip()}
            if said.isdecimal() and len(said) < 10 and 1 <= int(said) <= len(names):
                return {"choice": names[int(said) - 1], "reason": ""}
            self.write("Please answer with a number of the list, or n.")

    def _as_json(self, ask: Ask) -> Json:
        self.write(f"\n{ask.to} is asked to {ask.kind}:")
        self.write(json.dumps(dict(ask.about), indent=2, default=str))
        while True:
            said = self.read("Answer (one line of JSON): ")
            try:
                body = json.loads(said)
            except ValueError as e:
                self.write(f"That is not JSON: {e}")
                continue
            if isinstance(body, dict):
                return body
            self.write("An answer is a JSON object, in braces.")
