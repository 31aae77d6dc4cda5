"""The final document: made of the accepted decisions, and held against them (design §9). Pure.

It is generated in the decisions' own words, issue by issue, with what nobody contested in the sources below them.
Whoever edits it, or writes one by hand, may use words of its own: every decision's checkable facts must stand in it
unaltered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graphbus_core.negotiation.document.said.state import Issue, State
from graphbus_core.negotiation.document.said.vocabulary import Reason, Status
from graphbus_core.negotiation.document.text.coverage import CoveredText, Point, plain, statements, unique_points
from graphbus_core.negotiation.document.text.faithful import FaithfulText, faults_of
from graphbus_core.negotiation.document.text.places import meant
from graphbus_core.shown import shortened

MAX_UNCONTESTED = 500
_CLAUSES = re.compile(r"[;:,(]|\b(?:because|since|so that|although|unless)\b")
MIN_CLAUSE = 2  # words with a meaning: fewer say nothing by themselves
CONTESTED = 0.5  # of a statement's words that an issue has: then the issue is about it, and its decision holds


def missing_decisions(issues: Iterable[Issue], final: str) -> Iterator[Reason]:
    """Each statement of a decision that the document lacks or alters, and each escalated issue it does not name."""
    said = FaithfulText(final)
    names = CoveredText(final)
    for issue in issues:
        if issue.status is Status.AGREED:
            # Whoever accepted in a faithful summary writes that summary, and was told already that it is the decision.
            if any(said.verbatim(words) for words in issue.wordings):
                continue
            for statement, why in faults_of(issue.decision, said):
                yield Reason(
                    f"The decision on {issue.title!r} is not in it: {shortened(statement, 160)!r}: {why}.",
                    f"Put it in, as positions/{issue.stem}.md has it.",
                    "final.md",
                    code="decision",
                )
        elif issue.status is Status.ESCALATE:
            called = (issue.title, issue.stem, issue.stem.partition("-")[2].replace("-", " "))
            if not any(names.names(name) for name in called):
                yield Reason(
                    f"{issue.title!r} was escalated and is not named as unresolved.",
                    "Name it there, with both sides.",
                    "final.md",
                    code="decision",
                )


def composed(state: State) -> str:
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
    if points := uncontested(state):
        parts.append("## From the sources, uncontested")
        parts.append("\n".join(f"- {plain_item(p.text)} ({p.source})" for p in points))
    return "\n\n".join(parts) + "\n"


def plain_item(text: str) -> str:
    """A statement in one line."""
    return " ".join(text.split())


def uncontested(state: State) -> list[Point]:
    """The statements of the sources that no issue is about, each once."""
    found: list[Point] = []
    seen: set[str] = set()
    about = [_about(issue) for issue in state.issues.values()]
    for name, text in state.sources.items():
        for line, statement in statements(text):
            key = plain(statement).strip(" .:;!?")
            if key and key not in seen and not _contested(statement, about) and len(found) < MAX_UNCONTESTED:
                seen.add(key)
                found.append(Point(name, line, statement))
    return found


def points_to_take_up(state: State) -> list[Point]:
    """What one source alone says, and no issue is about: a position that was overruled is not a missing point."""
    about = [_about(issue) for issue in state.issues.values()]
    return [point for point in unique_points(state.sources) if not _contested(point.text, about)]


def _about(issue: Issue) -> frozenset[str]:
    said = [issue.title, issue.text, issue.decision, *(e.text for e in issue.entries if e.kind != "note")]
    return frozenset(word for text in said for word in meant(text))


def _contested(statement: str, about: Iterable[frozenset[str]]) -> bool:
    """Whether an issue is about it. A clause is enough: "90 days, because our auditors ask for it" stands against a
    decision of 30 days, however much is said in reason."""
    clauses = [words for part in _CLAUSES.split(statement) if len(words := meant(part)) >= MIN_CLAUSE]
    parts = [words for words in (meant(statement), *clauses) if words]
    return any(len(words & issue) >= max(1, CONTESTED * len(words)) for issue in about for words in parts)
