"""The final document: made of the accepted decisions, and held against them (design §9). Pure.

It is generated in the decisions' own words, issue by issue, with what nobody contested in the sources below them.
Whoever edits it, or writes one by hand, may use words of its own: every decision's checkable facts must stand in it
unaltered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graphbus_core.negotiation.document.model import Reason, Status
from graphbus_core.negotiation.document.state import Issue, State
from graphbus_core.negotiation.document.text.coverage import (
    CoveredText,
    Point,
    find_unique_points,
    normalize_text,
    split_statements,
)
from graphbus_core.negotiation.document.text.faithfulness import FaithfulText, extract_meaning, find_statement_faults
from graphbus_core.text import shorten

MAX_UNCONTESTED = 500
_CLAUSES = re.compile(r"[;:,(]|\b(?:because|since|so that|although|unless)\b")
MIN_CLAUSE = 2  # words with a meaning: fewer say nothing by themselves
CONTESTED = 0.5  # of a statement's words that an issue has: then the issue is about it, and its decision holds


def find_missing_decisions(issues: Iterable[Issue], final: str) -> Iterator[Reason]:
    """Each statement of a decision that the document lacks or alters, and each escalated issue it does not name."""
    final_text = FaithfulText(final)
    names = CoveredText(final)
    for issue in issues:
        if issue.status is Status.AGREED:
            # Whoever accepted in a faithful summary writes that summary, and was told already that it is the decision.
            if any(final_text.contains_verbatim(words) for words in issue.wordings):
                continue
            for statement, why in find_statement_faults(issue.decision, final_text):
                yield Reason(
                    f"The decision on {issue.title!r} is not in it: {shorten(statement, 160)!r}: {why}.",
                    f"Put it in, as positions/{issue.stem}.md has it.",
                    "final.md",
                    code="decision",
                )
        elif issue.status is Status.ESCALATE:
            issue_names = (issue.title, issue.stem, issue.stem.partition("-")[2].replace("-", " "))
            if not any(names.contains_title(name) for name in issue_names):
                yield Reason(
                    f"{issue.title!r} was escalated and is not named as unresolved.",
                    "Name it there, with both sides.",
                    "final.md",
                    code="decision",
                )


def compose_document(state: State) -> str:
    """The final document in the decisions' words, in their order, with the sources' uncontested parts."""
    topic = next((line.strip(" #") for line in state.topic.splitlines() if line.strip(" #") not in ("", "Topic")), "")
    parts = [f"# {topic or 'What was agreed'}"]
    agreed = [i for i in state.issues.values() if i.status is Status.AGREED]
    if agreed:
        parts.append("## Decisions")
        parts += [f"### {i.title}\n\n{i.decision.strip()}" for i in agreed]
    if unresolved := [i for i in state.issues.values() if i.status is Status.ESCALATE]:
        parts.append("## Unresolved")
        parts += [f"### {i.title}\n\n{i.decision.strip() or 'No agreement.'}" for i in unresolved]
    if points := find_uncontested(state):
        parts.append("## From the sources, uncontested")
        parts.append("\n".join(f"- {flatten_item(p.text)} ({p.source})" for p in points))
    return "\n\n".join(parts) + "\n"


def flatten_item(text: str) -> str:
    """A statement in one line."""
    return " ".join(text.split())


def find_uncontested(state: State) -> list[Point]:
    """The statements of the sources that no issue is about, each once."""
    points: list[Point] = []
    seen_keys: set[str] = set()
    about = [_collect_issue_words(issue) for issue in state.issues.values()]
    for name, text in state.sources.items():
        for line, statement in split_statements(text):
            key = normalize_text(statement).strip(" .:;!?")
            if key and key not in seen_keys and not _is_contested(statement, about) and len(points) < MAX_UNCONTESTED:
                seen_keys.add(key)
                points.append(Point(name, line, statement))
    return points


def find_points_to_take_up(state: State) -> list[Point]:
    """What one source alone says, and no issue is about: a position that was overruled is not a missing point."""
    about = [_collect_issue_words(issue) for issue in state.issues.values()]
    return [point for point in find_unique_points(state.sources) if not _is_contested(point.text, about)]


def _collect_issue_words(issue: Issue) -> frozenset[str]:
    texts = [issue.title, issue.text, issue.decision, *(e.text for e in issue.entries if e.kind != "note")]
    return frozenset(word for text in texts for word in extract_meaning(text))


def _is_contested(statement: str, about: Iterable[frozenset[str]]) -> bool:
    """Whether an issue is about it. A clause is enough: "90 days, because our auditors ask for it" stands against a
    decision of 30 days, however much is said in reason."""
    clauses = [words for part in _CLAUSES.split(statement) if len(words := extract_meaning(part)) >= MIN_CLAUSE]
    parts = [words for words in (extract_meaning(statement), *clauses) if words]
    return any(len(words & issue) >= max(1, CONTESTED * len(words)) for issue in about for words in parts)
