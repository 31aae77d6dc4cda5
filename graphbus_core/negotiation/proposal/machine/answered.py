"""What an answer to a question of meaning comes to: the candidate's proposal, with who said that it is meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.negotiation.proposal.machine.life import Stage
from graphbus_core.negotiation.proposal.machine.state import State
from graphbus_core.negotiation.proposal.said.meaning import NONE


def answered_before(state: State, question: Mapping[str, Any]) -> dict[str, Any] | None:
    """The proposal of an answer whose ground moved before it was committed: what was said still holds, and nobody is
    asked again. None where it was not answered, or fell for another reason."""
    known = state.questions[question["id"]]
    for candidate in question["candidates"]:
        summary = candidate["proposal"]["summary"]
        made = [r for r in state.queue.records.values() if r.proposal.get("summary") == summary]
        if candidate["name"] == known["choice"] != NONE and made and made[-1].stage is Stage.SUPERSEDED:
            return with_answer(candidate["proposal"], known["by"], known["choice"], known["why"])
    return None


def with_answer(proposal: Mapping[str, Any], by: str, choice: str | None, why: str) -> dict[str, Any]:
    """A candidate's proposal, with who said that it is meant."""
    said = f" Evidence: {by} was asked, and said {choice!r}{f': {why}' if why else ''}."
    return {**proposal, "rationale": f"{proposal['rationale']}{said}"}
