"""A seat that answers from a YAML script: a position, its turns in order, its answers to the checks in order.

advocates:
  CC:
    position: {priority: Reliability, red_line: No silent message loss}
    turn:
      - {move: propose, offer: 150 ms, want: at-least-once delivery, rationale: room for retries}
      - {move: check}
    consent: [{answer: object, reason: not yet}, {answer: consent}]     # or one answer for every check
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.written.transcript_seat import MINE

KINDS = ("position", "turn", "consent")


class ScriptAdvocate:
    """Stateless: what was said so far tells which entry comes next. Where the script ends it passes, and is silent."""

    def __init__(self, position: Any, turns: Sequence[Any], consents: Sequence[Any] | Mapping[str, Any]) -> None:
        self.position = position
        self.turns = turns
        self.consents = consents

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The entry for this question."""
        said = ask.about["said"]
        if ask.kind == "position":
            body = self.position
        elif ask.kind == "turn":
            nth = sum(f["fact"] in MINE and f["by"] == ask.to for f in said)
            body = self.turns[nth] if nth < len(self.turns) else {"move": "pass"}
        elif isinstance(self.consents, Mapping):
            body = self.consents
        else:
            nth = sum(f["fact"] == "check_called" for f in said) - 1
            body = self.consents[nth] if 0 <= nth < len(self.consents) else None
        return Reply(body) if isinstance(body, Mapping) else Reply(None, "the script says nothing to this")


def read_script(text: str, file: str, name: str) -> ScriptAdvocate:
    """The seat of one advocate. Raises ScenarioError with file and line."""
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        raise ScenarioError(f"{file}:{mark.line + 1 if mark else 1}: this is not YAML.") from None
    seats = (data.get("advocates") or data.get("agents")) if isinstance(data, dict) else None
    if not isinstance(seats, dict):
        raise ScenarioError(f"{file}:1: a script is `advocates:` with a name each, or a transcript in blocks.")
    own = seats.get(name)
    if not isinstance(own, dict):
        raise ScenarioError(f"{file}:1: it has no answers for the advocate {name!r}.")
    unknown = [k for k in own if k not in KINDS]
    if unknown:
        line = next((n for n, t in enumerate(text.splitlines(), 1) if t.strip().startswith(f"{unknown[0]}:")), 1)
        raise ScenarioError(f"{file}:{line}: {unknown[0]!r} is no question; there are {', '.join(KINDS)}.")
    turns, consents = own.get("turn", []), own.get("consent", [])
    if not isinstance(turns, list) or not isinstance(consents, list | dict):
        raise ScenarioError(f"{file}:1: `turn` and `consent` of {name!r} are lists.")
    return ScriptAdvocate(own.get("position", {"priority": name}), turns, consents)
