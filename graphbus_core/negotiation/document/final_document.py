"""The final document: built from the accepted decisions and compared with them (design §9). Pure.

It is generated in the decisions' own words, issue by issue, with every statement of the sources below them.
Whoever edits it, or writes one by hand, may use other words: everybody is told what it leaves out before they
accept it (`signing`).
"""

from __future__ import annotations

from collections.abc import Iterable

from graphbus_core.negotiation.document.fates import Fate, FateKind, Fates, indent_statement, judge_fates
from graphbus_core.negotiation.document.model import Status
from graphbus_core.negotiation.document.state import Issue, State
from graphbus_core.negotiation.document.text.statements import extract_visible_text, normalize_text


def find_altered_decisions(issues: Iterable[Issue], final: str) -> list[str]:
    """The titles of decisions that do not stand in it word for word, for whoever reads it before accepting it."""
    plain = normalize_text(extract_visible_text(final))
    return [
        issue.title
        for issue in issues
        if issue.status is Status.AGREED
        and render_decision(issue) not in final
        and normalize_text(issue.decision) not in plain
    ]


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
        parts.append("\n".join(_render_kept(text, ", ".join(names)) for text, names in kept))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def render_decision(issue: Issue) -> str:
    """A decision as it stands in the generated document: a section of its own."""
    return f"### {issue.title}\n\n{issue.decision.strip()}\n"


def _render_kept(text: str, names: str) -> str:
    if "\n" in text:  # nothing stands behind the end of a code fence
        return f"- From {names}:{indent_statement(text)}"
    return f"- {indent_statement(text)} ({names})"


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
