"""The fate of every statement of every source: kept, decided, in conflict, or dropped by a consent (design §9).

Pure. Discussion takes nothing away, and likeness decides nothing. A statement is decided where an agreed issue quotes
it or names its place, or where it has another number, unit, name or negation than the decision: then it is shown beside
that. It is dropped by one line `DROPS source:line` in a decision that both sides accepted. Everything else is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from textwrap import dedent

from graphbus_core.negotiation.document.model import FINAL, Status
from graphbus_core.negotiation.document.state import Issue, State
from graphbus_core.negotiation.document.text.conflicts import ALIKE, MAX_COMPARED, Conflict, find_conflicts
from graphbus_core.negotiation.document.text.statements import (
    Statement,
    extract_visible_text,
    find_title,
    normalize_text,
    split_blocks,
    split_statements,
)
from graphbus_core.text import shorten

SHOWN_FIRST = 3  # conflicts that an agent is told in its turn, the surest; all of them stand in fates.md
DROPS = re.compile(r"^[ \t*_`>-]*DROPS[ \t]+`?([^\s`]+:\d+(?:\.\d+)?)", re.MULTILINE)
_SOURCES_NAMED = re.compile(r" \([^()]*\)$")
_PLACE_NAMED = re.compile(r"^- \S+:[\d.]+(?:, against (?:\S+:[\d.]+(?:, )?)+)?: ")
TITLE = "title"  # the kind of conflict that two titles are in
_DECISIONS = "\0decisions"  # no file has this name


class FateKind(StrEnum):
    """The four fates."""

    KEPT = "kept"
    DECIDED = "decided"
    CONFLICT = "in conflict"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one statement: `issue` decided or dropped it, or it is in conflict with `others`; `line` is where
    the final document has it."""

    statement: Statement
    kind: FateKind
    issue: str = ""
    others: tuple[tuple[str, str], ...] = ()  # (place, in what they differ)
    line: int = 0
    like: tuple[str, ...] = ()  # of the other sources what is on the same subject, and no conflict as far as is known


@dataclass(frozen=True, slots=True)
class Fates:
    """All of them, in the order of the sources; the `conflicts` that nobody has decided, the surest first."""

    rows: tuple[Fate, ...]
    conflicts: tuple[Conflict, ...]

    def count(self, kind: FateKind) -> int:
        """How many statements have this fate."""
        return sum(fate.kind is kind for fate in self.rows)

    def count_all(self) -> list[tuple[FateKind, int]]:
        """Each fate with how many have it."""
        return [(kind, self.count(kind)) for kind in FateKind]

    @property
    def left_out(self) -> list[Fate]:
        """What the final document leaves out although nobody decided or dropped it."""
        return [fate for fate in self.rows if fate.kind is FateKind.DROPPED and fate.issue == FINAL]


def judge_fates(state: State, final: str | None = None) -> Fates:
    """The fate of every statement, as the table stands now; beside a `final` document also what that leaves out."""
    titles = find_contested_titles(state)
    sources = {
        name: (*(title for title in titles if title.source == name), *split_statements(name, text))
        for name, text in state.sources.items()
    }
    agreed = [issue for issue in state.issues.values() if issue.status is Status.AGREED]
    decisions = [
        replace(statement, heading=issue.title)
        for issue in agreed
        for statement in split_statements(issue.stem, issue.decision)
    ]
    compared = _compare_all(tuple(state.sources.items()), tuple(decisions))
    conflicts = [
        *(Conflict(*pair, TITLE, 1.0) for pair in combinations(titles, 2) if not _are_same_title(*pair)),
        *(c for c in compared if c.kind != ALIKE),
    ]
    like: dict[str, list[str]] = {}
    for pair in (c for c in compared if c.kind == ALIKE):
        like.setdefault(pair.first.place, []).append(pair.second.place)
        like.setdefault(pair.second.place, []).append(pair.first.place)
    dropped = {place: issue.stem for issue in agreed for place in DROPS.findall(issue.decision)}
    decided = _find_decided(sources, agreed, {issue.stem for issue in agreed}, conflicts)
    named = list(_find_named_pairs(state, sources))
    gone = {*dropped, *decided}
    asked = {frozenset(pair[:2]) for pair in named}  # there is an issue on them, which says more than a mark
    pairs = {c: {c.first.place, c.second.place} for c in conflicts}
    undecided = tuple(c for c, places in pairs.items() if not places & gone and places not in asked)
    against: dict[str, list[tuple[str, str]]] = {}
    for conflict in undecided:
        against.setdefault(conflict.first.place, []).append((conflict.second.place, conflict.kind))
        against.setdefault(conflict.second.place, []).append((conflict.first.place, conflict.kind))
    for first, second, stem in named:
        against.setdefault(first, []).append((second, f"issue {stem}"))
        against.setdefault(second, []).append((first, f"issue {stem}"))
    rows = []
    lines = _index_lines(final) if final is not None else None
    for statement in (statement for statements in sources.values() for statement in statements):
        line = lines.get(fold_statement(statement.text), 0) if lines is not None else 0
        if issue_stem := dropped.get(statement.place):
            rows.append(Fate(statement, FateKind.DROPPED, issue_stem))
        elif issue_stem := decided.get(statement.place):
            rows.append(Fate(statement, FateKind.DECIDED, issue_stem))
        elif lines is not None and not line:
            rows.append(Fate(statement, FateKind.DROPPED, FINAL))
        elif others := against.get(statement.place):
            rows.append(Fate(statement, FateKind.CONFLICT, others=tuple(others), line=line))
        else:
            rows.append(Fate(statement, FateKind.KEPT, line=line, like=tuple(like.get(statement.place, ()))))
    return Fates(tuple(rows), undecided)


def find_contested_titles(state: State) -> list[Statement]:
    """The titles of the sources, where nobody has agreed on one: the topic is the title of one of them, and another has
    another. A topic of its own is what everybody sat down to, and takes the place of every title."""
    titles = [
        Statement(name, block.line, block.heading)
        for name, text in state.sources.items()
        if (block := find_title(tuple(split_blocks(text)))) is not None and block.heading
    ]
    topic = Statement("", 0, read_topic(state))
    is_contested = any(not _are_same_title(titles[0], title) for title in titles[1:])
    return titles if is_contested and any(_are_same_title(topic, title) for title in titles) else []


def read_topic(state: State) -> str:
    """What the table is about, in a line; "" where nobody has said it."""
    return next((line.strip(" #") for line in state.topic.splitlines() if line.strip(" #") not in ("", "Topic")), "")


def _are_same_title(first: Statement, second: Statement) -> bool:
    return fold_statement(first.text) == fold_statement(second.text)


def fold_statement(statement: str) -> str:
    """A statement as it is found again: code as it is, words without markup and their last stop."""
    if "\n" in statement:
        return "\n".join(line.rstrip() for line in dedent(statement).split("\n"))
    return normalize_text(statement).strip(" .:;!?") or statement


@lru_cache(maxsize=4)
def _index_lines(final: str) -> dict[str, int]:
    """Each statement of a document, and each of its lines, with the number of the line."""
    lines = {fold_statement(s.text): s.line for s in reversed(split_statements(FINAL, final))}
    for number, line in enumerate(extract_visible_text(final).split("\n"), 1):
        lines.setdefault(fold_statement(_SOURCES_NAMED.sub("", line)), number)
        # What stands against another, or beside a decision, stands behind its place.
        lines.setdefault(fold_statement(_PLACE_NAMED.sub("", line)), number)
    return lines


@lru_cache(maxsize=4)
def _compare_all(sources: tuple[tuple[str, str], ...], decisions: tuple[Statement, ...]) -> list[Conflict]:
    """The conflicts of the sources with each other and with the decisions. Asked several times in one command."""
    readable: dict[str, Sequence[Statement]] = {name: split_statements(name, text) for name, text in sources}
    return find_conflicts({**readable, **({_DECISIONS: decisions} if decisions else {})})


def _find_decided(
    sources: Mapping[str, Sequence[Statement]], agreed: list[Issue], stems: set[str], conflicts: list[Conflict]
) -> dict[str, str]:
    """By the place of a statement the issue that decided it."""
    decided = {c.first.place: c.second.source for c in reversed(conflicts) if c.second.source in stems}
    texts = {issue.stem: f"{issue.text}\n{issue.decision}" for issue in agreed}
    plain = {stem: f" {normalize_text(text)} " for stem, text in texts.items()}
    everything, all_plain = "\n".join(texts.values()), "\n".join(plain.values())
    for statement in (statement for statements in sources.values() for statement in statements):
        place, words = statement.place, normalize_text(statement.text).strip(" .:;!?")
        quoting: list[str] = []
        if place in everything:
            named = re.compile(rf"(?<![\w./-]){re.escape(place)}(?![.]?\d)")
            quoting = [stem for stem, text in texts.items() if named.search(text)]
        elif " " in words and words in all_plain:
            quoting = [stem for stem, text in plain.items() if words in text]
        if quoting:
            decided[place] = quoting[-1]
    return decided


def _find_named_pairs(state: State, sources: Mapping[str, Sequence[Statement]]) -> Iterator[tuple[str, str, str]]:
    """What somebody said is in conflict: places of two sources that one issue names which is not agreed, with it."""
    issues = {stem: issue.text for stem, issue in state.issues.items() if issue.status is not Status.AGREED}
    for stem, text in issues.items():
        named = [
            [f"{source}:{number}" for number in dict.fromkeys(_name_places(source).findall(text))]
            for source in sources
            if f"{source}:" in text
        ]
        for several, others in combinations(named, 2):
            yield from ((first, second, stem) for first in several for second in others)


@lru_cache(maxsize=256)
def _name_places(source: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./-]){re.escape(source)}:(\d+(?:\.\d+)?)(?![.]?\d)")


def build_conflict_issue(state: State, places: str) -> tuple[str, str] | None:
    """The title and the question of an issue on two statements, named by their places; None where these are not two of
    two sources."""
    known = {s.place: s for name, text in state.sources.items() for s in split_statements(name, text)}
    known |= {title.place: title for title in find_contested_titles(state)}
    words = places.split()
    for cut in range(1, len(words)):  # a source's name may hold spaces
        first, second = known.get(" ".join(words[:cut])), known.get(" ".join(words[cut:]))
        if first and second and first.source != second.source:
            quoted = "\n".join(f"- {s.place}: {indent_statement(s.text)}" for s in (first, second))
            return f"{first.place} against {second.place}", f"Which of the two is to hold?\n\n{quoted}"
    return None


def render_fates(fates: Fates) -> str:
    """`fates.md`."""
    counts = ", ".join(f"{fates.count(kind)} {kind}" for kind in FateKind)
    beside = sum(bool(fate.like) for fate in fates.rows)
    read = f" {beside} kept ones stand beside one of another source on the same subject: read both." if beside else ""
    head = f"{len(fates.rows)} statements: {counts}.{read} Generated; edits have no effect."
    parts = [f"# The fate of every statement\n\n{head}"]
    by_source: dict[str, list[Fate]] = {}
    for fate in fates.rows:
        by_source.setdefault(fate.statement.source, []).append(fate)
    for source, rows in by_source.items():
        parts.append(f"## {source}\n\n" + "\n".join(_render_row(fate) for fate in rows))
        if len(rows) > MAX_COMPARED:
            parts.append(f"Of these {len(rows):,} only the first {MAX_COMPARED:,} were compared with other sources.")
    return "\n\n".join(parts) + "\n"


def _render_row(fate: Fate) -> str:
    match fate.kind:
        case FateKind.KEPT:
            what = f"kept ({FINAL}:{fate.line})" if fate.line else "kept"
            what += f", beside {', '.join(fate.like)}" if fate.like else ""
        case FateKind.DECIDED:
            what = f"decided by {fate.issue}"
        case FateKind.DROPPED:
            what = f"dropped by {fate.issue}"
        case FateKind.CONFLICT:
            what = "in conflict with " + ", ".join(f"{place} ({kind})" for place, kind in fate.others)
    return f"- {fate.statement.place}: **{what}**: {indent_statement(fate.statement.text)}"


def indent_statement(text: str) -> str:
    """A statement as a part of a list item; code keeps its lines."""
    if "\n" in text:
        return "\n\n" + "\n".join(f"  {line}" for line in text.split("\n"))
    return " ".join(text.split())


def render_conflicts(fates: Fates, form: str = "`@conflict PLACE PLACE`") -> Iterator[str]:
    """The surest conflicts that nobody has decided, for who has the turn; `form`: what files an issue on two places."""
    if not fates.conflicts:
        return
    count = len(fates.conflicts)
    yield f"Statements that may contradict each other ({count}: see fates.md); {form} files an issue on two:"
    for conflict in fates.conflicts[:SHOWN_FIRST]:
        first, second = (f"{s.place} {shorten(s.text, 36)!r}" for s in (conflict.first, conflict.second))
        yield f"- {conflict.kind}: {first}; {second}"
