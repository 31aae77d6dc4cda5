"""The final document: one text of the sources and the accepted decisions, and compared with them (design §9). Pure.

It is generated in the decisions' own words, each in the place of what it decides, and of every other statement of
the sources, in their order and below their headings (`merged_text`). Whoever edits it, or writes one by hand, may use
other words: everybody is told what it leaves out before they accept it (`signing`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from graphbus_core.negotiation.document.fates import (
    DROPS,
    FateKind,
    Fates,
    find_contested_titles,
    judge_fates,
    read_topic,
)
from graphbus_core.negotiation.document.merged_text import MergedText
from graphbus_core.negotiation.document.model import Status
from graphbus_core.negotiation.document.state import Issue, State
from graphbus_core.negotiation.document.text.statements import extract_visible_text, normalize_text

UNTITLED = "What was agreed"


def find_altered_decisions(issues: Iterable[Issue], final: str) -> list[str]:
    """The titles of decisions that do not stand in it word for word, for whoever reads it before accepting it."""
    plain = normalize_text(extract_visible_text(final))
    return [
        issue.title
        for issue in issues
        if issue.status is Status.AGREED
        and render_decision(issue) not in final
        and normalize_text(render_decision(issue)) not in plain
    ]


def compose_document(state: State, fates: Fates | None = None) -> str:
    """The final document: the sources as one text with every decision in its place, and what is undecided."""
    fates = fates or judge_fates(state)
    decisions = {issue.stem: render_decision(issue) for issue in state.issues.values() if issue.status is Status.AGREED}
    title, stem = _choose_title(state, fates, decisions)
    agreed = [issue for issue in state.issues.values() if issue.stem in decisions and issue.stem != stem]
    text = MergedText(fates, decisions)
    for name, source in state.sources.items():
        text.add_source(name, source)
    for issue in agreed:
        text.add_decision(issue.stem, issue.title)
    parts = [f"# {title}", text.render()]
    if unresolved := [i for i in state.issues.values() if i.status is Status.ESCALATE]:
        parts.append("## Unresolved")
        parts += [f"### {i.title}\n\n{i.decision.strip() or 'No agreement.'}" for i in unresolved]
    return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def _choose_title(state: State, fates: Fates, decisions: Mapping[str, str]) -> tuple[str, str]:
    """The title, and the issue that decided it, if one did. The title of one source alone is nobody else's: as long as
    it is contested, the document has none of them."""
    contested = {title.place for title in find_contested_titles(state)}
    if not contested:
        return read_topic(state) or UNTITLED, ""
    for fate in fates.rows:
        words = decisions.get(fate.issue, "").lstrip("# ")
        if fate.statement.place in contested and fate.kind is FateKind.DECIDED and words and "\n" not in words:
            return words, fate.issue
    titles = [f.statement.text for f in fates.rows if f.statement.place in contested and f.kind is FateKind.KEPT]
    return (titles[0] if titles else UNTITLED), ""


def render_decision(issue: Issue) -> str:
    """The words of a decision as they stand in the generated document; what it drops is told by the table of fates."""
    return "\n".join(line for line in issue.decision.strip().split("\n") if not DROPS.match(line)).strip()


def render_decisions(state: State) -> Iterator[str]:
    """Who decided what, for the table of fates: the text itself holds the words alone."""
    agreed = [issue for issue in state.issues.values() if issue.status is Status.AGREED]
    if agreed:
        yield "## What was decided, and by whom"
        yield "\n".join(f"- {issue.stem}: {issue.title} ({_name_deciders(issue)})" for issue in agreed)


def _name_deciders(issue: Issue) -> str:
    if issue.ruled:
        return "ruled by a person"
    offered = next((entry.by for entry in reversed(issue.entries) if entry.text.strip() == issue.decision.strip()), "")
    accepted = ", ".join(name for name in issue.accepted if name != offered)
    parts = (f"words of {offered}" if offered else "", f"accepted by {accepted}" if accepted else "")
    return "; ".join(filter(None, parts)) or "agreed"
