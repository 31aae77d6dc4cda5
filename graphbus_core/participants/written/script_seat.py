"""A seat of a consent negotiation that answers from a script (`scripted`): its position, its turns, its checks.

agents:
  CC:
    position: {priority: Reliability, red_line: No silent message loss}
    turn:
      - {move: propose, offer: 150 ms, want: at-least-once delivery, rationale: room for retries}
      - {move: check}
    consent: [{answer: object, reason: not yet}, {answer: consent}]     # or one answer for every check
"""

from __future__ import annotations

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.core import Ask, Reply
from graphbus_core.participants.written.scripted import ScriptedParticipant, script_of
from graphbus_core.participants.written.transcript_seat import MINE


class ScriptAdvocate(ScriptedParticipant):
    """Stateless: what was said so far tells which entry comes next. Where the script ends it passes, and is silent."""

    def _nth(self, ask: Ask) -> int:
        said = ask.about["said"]
        if ask.kind == "turn":
            return 1 + len([f for f in said if f["fact"] in MINE and f["by"] == ask.to])
        return max(1, len([f for f in said if f["fact"] == "check_called"]))

    def _unsaid(self, ask: Ask) -> Reply:
        if ask.kind == "position":
            return Reply({"priority": ask.to})
        return Reply({"move": "pass"}) if ask.kind == "turn" else super()._unsaid(ask)


def read_advocate(text: str, file: str, name: str) -> ScriptAdvocate:
    """The seat of one advocate. Raises ScenarioError with file and line."""
    script = script_of(text, file)
    if name not in script.agents and not script.default:
        raise ScenarioError(f"{file}:1: it has no answers for the advocate {name!r}.")
    return ScriptAdvocate(script.agents.get(name, {}), script.default)
