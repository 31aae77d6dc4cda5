"""A seat that says what a transcript in the seed's blocks lets it say: demos, tests, and sessions held elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.consent.questions import STAND_ASIDE
from graphbus_core.negotiation.consent.transcript import VOTES, TranscriptBlock
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.scripted.script import ScriptedParticipant, parse_script

SPOKEN = ("PROPOSAL", "DISCUSSION", "CONSENT CHECK", "PASS")
MINE = ("proposal_tabled", "discussed", "passed", "check_called")


class TranscriptAdvocate:
    """Stateless: its n-th turn is its n-th block, its answer to the n-th check its answer in the n-th check there."""

    def __init__(self, name: str, blocks: Sequence[TranscriptBlock]) -> None:
        self.position = next((s for s in blocks if s.kind == "ADVOCATE" and s.name == name), None)
        self.turns = [s for s in blocks if s.kind in SPOKEN and s.name == name]
        self.answers: list[TranscriptBlock | None] = []
        for block in blocks:
            if block.kind == "CONSENT CHECK":
                self.answers.append(None)
            elif block.kind in (*VOTES, "DONE") and block.name == name and self.answers and self.answers[-1] is None:
                self.answers[-1] = block

    async def answer(self, ask: Ask, view: View) -> Reply:
        """What stands there for this question; silence where nothing does."""
        body = self.find_body(ask)
        return Reply(body) if body is not None else Reply(None, "the transcript says nothing to this")

    def find_body(self, ask: Ask) -> dict[str, Any] | None:
        """The answer's body, or None."""
        facts: Sequence[Mapping[str, Any]] = ask.about["said"]
        if ask.kind == "position":
            if self.position is None:
                return None
            names = ("PRIORITY", "RATIONALE", "RED LINE", "WILLING TO TRADE")
            return {n.lower().replace(" ", "_"): self.position.fields.get(n, "") for n in names}
        if ask.kind == "turn":
            nth = sum(f["fact"] in MINE and f["by"] == ask.to for f in facts)
            return _build_move(self.turns[nth], ask) if nth < len(self.turns) else {"move": "pass", "why": ""}
        nth = sum(f["fact"] == "check_called" for f in facts) - 1
        block = self.answers[nth] if 0 <= nth < len(self.answers) else None
        if block is None:
            return None
        if block.kind in ("CONSENT", "DONE"):
            return {"answer": "consent"}
        if block.kind == "STAND ASIDE":
            return {"answer": STAND_ASIDE, "reason": block.text}
        return {"answer": "object", "reason": block.text or "no reason given"}


def _build_move(block: TranscriptBlock, ask: Ask) -> dict[str, Any]:
    if block.kind == "PROPOSAL":
        body: dict[str, Any] = {
            "move": "propose",
            "offer": block.fields.get("I OFFER", ""),
            "want": block.fields.get("I WANT", ""),
            "rationale": block.fields.get("RATIONALE", ""),
        }
        if "TERMS" in block.fields:
            body["terms"] = _parse_terms(block.fields["TERMS"].split(";"), ask)
        return body
    if block.kind == "CONSENT CHECK":
        lines = [t[1:].strip() for t in block.text.splitlines() if t.startswith(("-", "*", "•"))]
        return {"move": "check", "terms": _parse_terms(lines, ask)} if lines else {"move": "check"}
    if block.kind == "PASS":
        return {"move": "pass", "why": block.text}
    return {"move": "discuss", "text": block.text}


def _parse_terms(lines: Sequence[str], ask: Ask) -> Any:
    entries = [line.strip() for line in lines if line.strip()]
    if not ask.about["issues"]:
        return entries
    return {k.strip(): v.strip() for k, _, v in (line.partition(":") for line in entries)}


# A seat of a consent negotiation that answers from a script (`scripted`): its position, its turns, its checks.
#
# agents:
#   CC:
#     position: {priority: Reliability, red_line: No silent message loss}
#     turn:
#       - {move: propose, offer: 150 ms, want: at-least-once delivery, rationale: room for retries}
#       - {move: check}
#     consent: [{answer: object, reason: not yet}, {answer: consent}]     # or one answer for every check


class ScriptAdvocate(ScriptedParticipant):
    """Stateless: what was said so far tells which entry comes next. Where the script ends it passes, and is silent."""

    def _count_question(self, ask: Ask) -> int:
        facts = ask.about["said"]
        if ask.kind == "turn":
            return 1 + len([f for f in facts if f["fact"] in MINE and f["by"] == ask.to])
        return max(1, len([f for f in facts if f["fact"] == "check_called"]))

    def _reply_default(self, ask: Ask) -> Reply:
        if ask.kind == "position":
            return Reply({"priority": ask.to})
        return Reply({"move": "pass"}) if ask.kind == "turn" else super()._reply_default(ask)


def read_advocate(text: str, file: str, name: str) -> ScriptAdvocate:
    """The seat of one advocate. Raises ScenarioError with file and line."""
    script = parse_script(text, file)
    if name not in script.agents and not script.default:
        raise ScenarioError(f"{file}:1: it has no answers for the advocate {name!r}.")
    return ScriptAdvocate(script.agents.get(name, {}), script.default)
