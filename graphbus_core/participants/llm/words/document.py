"""How the questions of the document negotiation are told (seed 004): sources, issues, what is owed, the decisions."""

from __future__ import annotations

from typing import Any

from graphbus_core.negotiation.core import Ask, Json
from graphbus_core.participants.llm.words import prompts
from graphbus_core.participants.llm.words.registry import Facts, Family, Question, register
from graphbus_core.participants.llm.words.writing import cut, fence


def _know(about: Json) -> str:
    parts = [fence(str(about.get("topic") or "").strip(), "topic")]
    if about.get("agents"):
        parts.append(f"At the table: {', '.join(about['agents'])}.")
    # Sources are what the negotiation is about: they are told whole.
    parts += [fence(str(text).rstrip(), f"source {name}") for name, text in (about.get("sources") or {}).items()]
    return "\n\n".join(parts)


def _issue(issue: Json, may: bool = True) -> str:
    """One issue with everything that was said on it."""
    said = [str(issue.get("text") or "").rstrip()]
    for entry in issue.get("entries") or ():
        said.append(f"## {entry.get('by')}'s {entry.get('kind')} (round {entry.get('round')})\n{entry.get('text')}")
    if issue.get("decision"):
        said.append(f"## Decision\n{issue['decision']}")
    text = fence(cut("\n\n".join(said), 6 * prompts.FIELD_MAX), f"issue {issue.get('issue')}")
    notes = [f"{issue.get('issue')} is {issue.get('status')}"]  # its title is somebody's words, and heads its text
    if may:
        if issue.get("you_owe_a_word"):
            notes.append("you owe it a position")
        if issue.get("you_may_agree"):
            named = [f"{o.get('hash')} of {o.get('by')}" for o in issue.get("offers") or ()]
            notes.append(f"you may accept {' or '.join(named)}" if named else "you may mark it AGREED")
        if issue.get("your_last_round"):
            notes.append("this is your last round on it: accept, make your last offer, or mark it ESCALATE")
    return f"### {'; '.join(notes)}\n{text}"


def _tell_turn(ask: Ask, facts: Facts) -> str:
    about = ask.about
    settings = about.get("settings") or {}
    parts = [f"## Turn {about.get('turn')}"]
    if rounds := settings.get("max_rounds"):
        parts.append(f"Each agent has {rounds} rounds on an issue.")
    parts += [_issue(issue) for issue in about.get("issues") or ()]
    if not about.get("may_file", True):
        parts.append("You may file no new issue any more.")
    return "\n\n".join(parts)


def _tell_issues(ask: Ask, facts: Facts) -> str:
    known = [f"{i.get('title')}" for i in ask.about.get("issues") or ()]
    return fence("\n".join(known), "issues filed already") if known else "No issue is filed yet."


def _tell_final(ask: Ask, facts: Facts) -> str:
    about = ask.about
    parts = []
    for key, label in (("decisions", "agreed"), ("unresolved", "left open, with its summary")):
        parts += [
            fence(f"{d.get('title')}\n\n{d.get('text')}", f"{label}: {d.get('issue')}") for d in about.get(key) or ()
        ]
    points = [f"{p.get('source')}:{p.get('line')}: {p.get('text')}" for p in about.get("points") or ()]
    if points:
        parts.append(fence("\n".join(points), "said by one source alone: take up, or leave out with a reason"))
    return "\n\n".join(parts)


def _tell_ruling(ask: Ask, facts: Facts) -> str:
    return _issue(ask.about.get("issue") or {}, may=False)


def _is_document(ask: Ask) -> bool:
    return "topic" in ask.about


_OBJECT: dict[str, Any] = {"type": "object"}

DOCUMENT = register(
    Family(
        "document",
        prompts.DOCUMENT_RULES,
        _know,
        {
            "draft_issues": Question("draft_issues", prompts.DRAFT_ISSUES, _OBJECT, _tell_issues),
            "analysis": Question("analysis", prompts.ANALYSE, _OBJECT, _tell_issues),
            "turn": Question("turn", prompts.TURN, _OBJECT, _tell_turn),
            "write_final": Question(
                "write_final", prompts.WRITE_FINAL, {"type": "object", "required": ["final"]}, _tell_final
            ),
            "rule_issue": Question(
                "rule_issue", prompts.RULE_ISSUE, {"type": "object", "required": ["decision"]}, _tell_ruling
            ),
        },
        claims=_is_document,
    )
)
