"""The final document: made of the accepted decisions, and held against them (design §9). Pure.

It is generated in the decisions' own words, issue by issue, with every statement of the sources below them.
Whoever edits it, or writes one by hand, may use words of its own: every decision's checkable facts must stand in it
unaltered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graphbus_core.negotiation.document.fates import Fate, FateKind, Fates, indent_statement, judge_fates
from graphbus_core.negotiation.document.model import Reason, Status
from graphbus_core.negotiation.document.state import Issue, State
from graphbus_core.negotiation.document.text.coverage import (
    CoveredText,
    Point,
    find_unique_points,
    normalize_text,
)
from graphbus_core.negotiation.document.text.faithfulness import FaithfulText, extract_meaning, find_statement_faults
from graphbus_core.negotiation.document.text.statements import Statement, extract_visible_text
from graphbus_core.text import shorten

_SOURCES_NAMED = re.compile(r" \([^()]*\)$")
_CLAUSES = re.compile(r"[;:,(]|\b(?:because|since|so that|although|unless)\b")
MIN_CLAUSE = 2  # words with a meaning: fewer say nothing by themselves
CONTESTED = 0.5  # of a statement's words that an issue has: then the issue is about it, and its decision holds


def find_missing_decisions(issues: Iterable[Issue], final: str) -> Iterator[Reason]:
    """Each statement of a decision that the document lacks or alters, and each escalated issue it does not name."""
    # Whatever stands there as it was generated need not be read word by word: of a long document that takes seconds.
    altered = [issue for issue in issues if issue.status is not Status.AGREED or render_decision(issue) not in final]
    if not altered:
        return
    final_text = FaithfulText(final)
    names = CoveredText(final)
    for issue in altered:
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


def compose_document(state: State, fates: Fates | None = None) -> str:
    """The final document: the decisions in their own words with what the sources say on them, what is undecided, and
    every other statement of the sources."""
    fates = fates or judge_fates(state)
    topic = next((line.strip(" #") for line in state.topic.splitlines() if line.strip(" #") not in ("", "Topic")), "")
    parts = [f"# {topic or 'What was agreed'}"]
    beside: dict[str, list[Fate]] = {}
    for fate in fates.rows:
        if fate.kind is FateKind.DECIDED:
            beside.setdefault(fate.issue, []).append(fate)
    agreed = [i for i in state.issues.values() if i.status is Status.AGREED]
    if agreed:
        parts.append("## Decisions")
    for issue in agreed:
        parts.append(render_decision(issue))
        if rows := beside.get(issue.stem):
            parts.append("Decided by this, of the sources:")
            parts.append(
                "\n".join(f"- {fate.statement.place}: {indent_statement(fate.statement.text)}" for fate in rows)
            )
    if unresolved := [i for i in state.issues.values() if i.status is Status.ESCALATE]:
        parts.append("## Unresolved")
        parts += [f"### {i.title}\n\n{i.decision.strip() or 'No agreement.'}" for i in unresolved]
    if contested := [fate for fate in fates.rows if fate.kind is FateKind.CONFLICT]:
        parts.append("## From the sources, undecided: these may contradict each other")
        parts.append("\n".join(_render_contested(fate) for fate in contested))
    if kept := _merge_repeated(fates.rows):
        parts.append("## From the sources, uncontested")
        parts.append("\n".join(f"- {indent_statement(text)} ({', '.join(names)})" for text, names in kept))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def render_decision(issue: Issue) -> str:
    """A decision as it stands in the generated document: a section of its own."""
    return f"### {issue.title}\n\n{issue.decision.strip()}\n"


def find_left_out(state: State, final: str) -> list[Statement]:
    """The statements of the sources that nobody decided or dropped, and that do not stand in it word for word."""
    fates = judge_fates(state)
    if final == compose_document(state, fates):
        return []
    plain = normalize_text(extract_visible_text(final))
    lines = {normalize_text(_SOURCES_NAMED.sub("", line)).strip(" .:;!?") for line in final.split("\n")}
    missing = []
    for fate in fates.rows:
        words = normalize_text(fate.statement.text).strip(" .:;!?")
        # Lines first: to look through a long text for each of ten thousand statements takes half a minute.
        if fate.kind in (FateKind.KEPT, FateKind.CONFLICT) and words not in lines and words not in plain:
            missing.append(fate.statement)
    return missing


def _render_contested(fate: Fate) -> str:
    others = ", ".join(place for place, _ in fate.others)
    return f"- {fate.statement.place}, against {others}: {indent_statement(fate.statement.text)}"


def _merge_repeated(rows: Iterable[Fate]) -> list[tuple[str, list[str]]]:
    """The statements that are kept, each once, with the sources that make it."""
    kept: dict[str, tuple[str, list[str]]] = {}
    for fate in rows:
        if fate.kind is FateKind.KEPT:
            text = fate.statement.text
            # Code says what it says: only words are the same in another form.
            key = text if "\n" in text else normalize_text(text).strip(" .:;!?") or text
            _, names = kept.setdefault(key, (text, []))
            names += [fate.statement.source] if fate.statement.source not in names else []
    return list(kept.values())


def find_points_to_take_up(state: State) -> list[Point]:
    """What one source alone says, and no issue is about: a position that was overruled is not a missing point."""
    about = [_collect_issue_words(issue) for issue in state.issues.values()]
    return [point for point in find_unique_points(state.sources) if not _is_contested(point.text, about)]


def _collect_issue_words(issue: Issue) -> frozenset[str]:
    texts = [issue.title, issue.text, issue.decision, *(e.text for e in issue.entries if e.kind != "note")]
    return frozenset(word for text in texts for word in extract_meaning(text))


def _is_contested(statement: str, about: Iterable[frozenset[str]]) -> bool:
    """Whether an issue is about it. A clause is enough: "90 days, because our auditors ask for it" stands against a
    decision of 30 days, however long its reason."""
    clauses = [words for part in _CLAUSES.split(statement) if len(words := extract_meaning(part)) >= MIN_CLAUSE]
    parts = [words for words in (extract_meaning(statement), *clauses) if words]
    return any(len(words & issue) >= max(1, CONTESTED * len(words)) for issue in about for words in parts)
