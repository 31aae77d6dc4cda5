"""A person at the terminal: shown what is asked in plain words, and taken at their word."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

from graphbus_core.negotiation.core import Ask, Json, Reply, View
from graphbus_core.shown import shown

Read = Callable[[str], str]
Write = Callable[[str], None]


class TerminalParticipant:
    """Asks a person, one question at a time. `read` prompts for a line, `write` shows text.

    An end of input is silence, never a yes. What others wrote is shown, not obeyed.
    """

    def __init__(self, read: Read = input, write: Write = print) -> None:
        self.read: Read = lambda prompt: read(shown(prompt))
        self.write: Write = lambda text: write(shown(text))
        self._turn = asyncio.Lock()

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The person's answer; silence when the input ends."""
        async with self._turn:
            try:
                return Reply(await _in_thread(lambda: self._ask(ask, view)))
            except EOFError:
                return Reply(None, "the person at the terminal did not answer (end of input)")

    def _ask(self, ask: Ask, view: View) -> Json:
        for why in view.refused[-1:]:
            self.write(f"That answer could not be taken: {why}")
        if ask.kind == "approve":
            return self._approve(ask)
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


async def _in_thread(work: Callable[[], Any]) -> Any:
    """Run `work` in a thread that does not keep the process alive, so that Ctrl-C ends the question."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def run() -> None:
        try:
            value, error = work(), None
        except BaseException as e:
            value, error = None, e

        def settle() -> None:
            if done.done():
                return
            if error is not None:
                done.set_exception(error)
            else:
                done.set_result(value)

        if not loop.is_closed():
            loop.call_soon_threadsafe(settle)

    threading.Thread(target=run, daemon=True, name="terminal").start()
    return await done
