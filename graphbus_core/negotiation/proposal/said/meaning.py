"""Questions of meaning: what an agent asks where it has no evidence, and how an answer to one is read.

A candidate carries the proposal that it stands for, so an answer is a name and nothing else: whoever answers cannot
bring in a change that was not shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.negotiation.proposal.said.forms import Unreadable, read_proposal

MAX_QUESTIONS = 50  # of one answer
NONE = "none"  # a choice: it is none of the candidates
INSTRUCTIONS = (
    "Two components exchange data. A field of one has no counterpart by that name in the other. Say which candidate "
    "is the same data, in meaning, unit and role. If none surely is, choose none: a wrong pairing is worse than a gap."
)


def read_questions(body: Mapping[str, Any], author: str) -> list[dict[str, Any]]:
    """The questions of an answer, canonical. Raises Unreadable."""
    made = []
    for one in _list(body, "questions")[:MAX_QUESTIONS]:
        if not isinstance(one, Mapping) or not all(
            isinstance(one.get(k), str) for k in ("id", "link", "field", "text")
        ):
            raise Unreadable("a question has id, link, field, text and candidates")
        told = [
            {"name": str(c["name"]), "says": str(c.get("says", "")), "proposal": read_proposal(c["proposal"], author)}
            for c in _list(one, "candidates")
            if isinstance(c, Mapping) and "name" in c and "proposal" in c
        ]
        made.append({**{k: one[k] for k in ("id", "link", "field", "text")}, "agent": author, "candidates": told})
    return made


def read_left(body: Mapping[str, Any]) -> list[dict[str, str]]:
    """Why nothing was proposed, field by field."""
    names = ("link", "field", "why")
    return [{k: str(one.get(k, "")) for k in names} for one in _list(body, "left") if isinstance(one, Mapping)]


def read_choice(body: Mapping[str, Any], names: list[str]) -> dict[str, Any]:
    """`{"choice": name | "none" | null, "reason": …}`. Raises Unreadable for a name that was not a candidate's."""
    choice = body.get("choice")
    if choice is not None and choice != NONE and choice not in names:
        raise Unreadable(f"choice is {str(choice)[:80]!r}; use one of {', '.join(names)}, or {NONE}")
    return {"choice": choice, "reason": str(body.get("reason") or "")}


def answer_schema(names: list[str]) -> dict[str, Any]:
    """The JSON Schema of an answer."""
    return {
        "type": "object",
        "properties": {"choice": {"enum": [*names, NONE]}, "reason": {"type": "string"}},
        "required": ["choice"],
    }


def _list(body: Mapping[str, Any], name: str) -> list[Any]:
    value = body.get(name) or []
    if not isinstance(value, list | tuple):
        raise Unreadable(f"{name} is a list")
    return list(value)
