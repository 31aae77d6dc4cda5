"""A seat that says what a transcript in the seed's blocks lets it say: demos, tests, and sessions held elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.negotiation.consent.answers import STAND_ASIDE
from graphbus_core.negotiation.consent.told.transcript import VOTES, TranscriptBlock
from graphbus_core.negotiation.core import Ask, Reply, View

SPOKEN = ("PROPOSAL", "DISCUSSION", "CONSENT CHECK", "PASS")
MINE = ("proposal_tabled", "discussed", "passed", "check_called")


class TranscriptAdvocate:
    """Stateless: its n-th turn is its n-th block, its answer to the n-th check its answer in the n-th check there."""

    def __init__(self, name: str, said: Sequence[TranscriptBlock]) -> None:
        self.position = next((s for s in said if s.kind == "ADVOCATE" and s.name == name), None)
        self.turns = [s for s in said if s.kind in SPOKEN and s.name == name]
        self.answers: list[TranscriptBlock | None] = []
        for one in said:
            if one.kind == "CONSENT CHECK":
                self.answers.append(None)
            elif one.kind in VOTES and one.name == name and self.answers:
                self.answers[-1] = one

    async def answer(self, ask: Ask, view: View) -> Reply:
        """What stands there for this question; silence where nothing does."""
        body = self.body(ask)
        return Reply(body) if body is not None else Reply(None, "the transcript says nothing to this")

    def body(self, ask: Ask) -> dict[str, Any] | None:
        """The answer's body, or None."""
        said: Sequence[Mapping[str, Any]] = ask.about["said"]
        if ask.kind == "position":
            if self.position is None:
                return None
            names = ("PRIORITY", "RATIONALE", "RED LINE", "WILLING TO TRADE")
            return {n.lower().replace(" ", "_"): self.position.fields.get(n, "") for n in names}
        if ask.kind == "turn":
            nth = sum(f["fact"] in MINE and f["by"] == ask.to for f in said)
            return _move(self.turns[nth], ask) if nth < len(self.turns) else {"move": "pass", "why": ""}
        nth = sum(f["fact"] == "check_called" for f in said) - 1
        one = self.answers[nth] if 0 <= nth < len(self.answers) else None
        if one is None:
            return None
        if one.kind == "CONSENT":
            return {"answer": "consent"}
        if one.kind == "STAND ASIDE":
            return {"answer": STAND_ASIDE, "reason": one.text}
        return {"answer": "object", "reason": one.text or "no reason given"}


def _move(one: TranscriptBlock, ask: Ask) -> dict[str, Any]:
    if one.kind == "PROPOSAL":
        body: dict[str, Any] = {
            "move": "propose",
            "offer": one.fields.get("I OFFER", ""),
            "want": one.fields.get("I WANT", ""),
            "rationale": one.fields.get("RATIONALE", ""),
        }
        if "TERMS" in one.fields:
            body["terms"] = _terms(one.fields["TERMS"].split(";"), ask)
        return body
    if one.kind == "CONSENT CHECK":
        lines = [t[1:].strip() for t in one.text.splitlines() if t.startswith(("-", "*", "•"))]
        return {"move": "check", "terms": _terms(lines, ask)} if lines else {"move": "check"}
    if one.kind == "PASS":
        return {"move": "pass", "why": one.text}
    return {"move": "discuss", "text": one.text}


def _terms(lines: Sequence[str], ask: Ask) -> Any:
    kept = [line.strip() for line in lines if line.strip()]
    if not ask.about["issues"]:
        return kept
    return {k.strip(): v.strip() for k, _, v in (line.partition(":") for line in kept)}
