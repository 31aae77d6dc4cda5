"""The Markdown form of a negotiation, read and written (seed 004, "Example Position File"). Text in, data out.

Reading is generous (any order of sections, several Status lines, CRLF), because others write by hand; what was read
is compared with the log by meaning, so a file is rewritten only where somebody broke a rule.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from graphbus_core.negotiation.document.model import Settings, Status
from graphbus_core.negotiation.document.state import Issue, IssueEntry
from graphbus_core.negotiation.document.text.headings import (
    NOBODY,
    Voices,
    fold_text,
    parse_outline,
    parse_status,
    strip_rules,
    trim_text,
)
from graphbus_core.negotiation.document.text.statements import extract_visible_text

# The form of seed 004, to the letter: agents with its own scripts parse and write these very lines.
_META = re.compile(r"^\s*[-*]\s+\*\*([a-z_]+):\*\*\s*(.*?)\s*$", re.MULTILINE)
_AGENT = re.compile(r"^- (\S+)(?: \(registered:\s*([^,)]*)(?:,\s*participant:\s*([^)]*))?\))?\s*$")
_KEYS = {
    "expected_agents": "expected_agents",
    "registration_window_seconds": "registration_window_s",
    "max_rounds_per_agent": "max_rounds",
    "poll_interval_seconds": "poll_interval_s",
    "turn_timeout_seconds": "turn_timeout_s",
}


@dataclass(frozen=True, slots=True)
class Section:
    """One entry as it stands in a file. Lines count from 1; `end` is the line after its last."""

    by: str
    kind: str
    number: int
    text: str
    line: int
    end: int = 0
    entry: int = -1  # which of the entries that are known it is, or begins with
    more: str = ""  # what stands below that entry
    more_line: int = 0


@dataclass(frozen=True, slots=True)
class StrayText:
    """Words that stand in no entry and no decision."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class PositionSheet:
    """A position file as it was read. `status` is the word of the last Status line, "" where there is none."""

    sections: tuple[Section, ...] = ()
    status: str = ""
    decision: str = ""
    status_line: int = 0
    status_end: int = 0
    loose: tuple[StrayText, ...] = ()
    almost: tuple[tuple[int, str], ...] = ()  # lines that look like a Status line with this word, and are not


# Longer entries would fill the cache with a few megabytes each; they are folded anew.
CACHED_FORM = 4_000  # characters of an entry whose form is kept


def parse_positions(
    text: str,
    entries: Sequence[IssueEntry] = (),
    decision: tuple[str, str] = ("", ""),
    voices: Voices = NOBODY,
    must: Collection[int] = (),
) -> PositionSheet:
    """Read a position file. The texts of `entries`, and the `decision` below its status, are known: where one stands
    below its heading word for word, nothing in it is a heading. `must`: which of the entries cannot be missing."""
    lines = fold_text("|" + text)[1:].split("\n")  # the mark keeps blank lines at the beginning counted
    known_texts, said_before = _index_known_texts(entries, decision)
    outline = parse_outline(lines, voices, known_texts, must)
    heads = outline.heads
    sections: list[Section] = []
    loose: list[StrayText] = []
    # The last counts, as the seed says: earlier ones are what an issue was before.
    last = max((n for n, head in enumerate(heads) if head.kind == "status"), default=-1)
    sheet = PositionSheet()
    _add_stray_text(loose, _strip_title(lines[: heads[0].line if heads else None]), 1)
    for n, head in enumerate(heads):
        end = heads[n + 1].line if n + 1 < len(heads) else len(lines)
        # By far the commonest case: nothing of it changed. Comparing it whole again would cost a hand-off of fifty
        # entries more than everything else.
        if head.known >= 0 and head.kind != "status" and not any(lines[head.body : end]):  # as it was recorded
            section_text = said_before[head.known]
            place = (head.line + 1, end + 1, head.known, "", head.body + 1)
            sections.append(Section(head.name, head.kind, head.number, section_text, *place))
            continue
        body = [*([head.words] if head.words else ()), *lines[head.line + 1 : end]]
        if head.kind == "status":
            word, below = parse_status(head.status), trim_text("\n".join(body))
            if head.known >= 0 and not trim_text("\n".join(lines[head.body : end])):
                below = fold_text(decision[1])
            if n == last:
                sheet = PositionSheet((), word, below, head.line + 1, end + 1)
            # Words below a Status that is not the last, or that is OPEN, decide nothing. They are somebody's words
            # all the same.
            if n != last or word == Status.OPEN:
                _add_stray_text(loose, lines[head.line + 1 : end], head.line + 2)
        elif head.known >= 0:
            more, more_line = _extract_block(lines[head.body : end], head.body + 1)
            # Only below it: what stands before the known text would have become part of the heading.
            section_text = trim_text("\n".join(body)) if more else said_before[head.known]
            sections.append(
                Section(
                    head.name, head.kind, head.number, section_text, head.line + 1, end + 1, head.known, more, more_line
                )
            )
        else:
            section_text = trim_text("\n".join(body))
            sections.append(Section(head.name, head.kind, head.number, section_text, head.line + 1, end + 1))
    almost = tuple((more_line + 1, word) for more_line, word in outline.almost)
    return replace(sheet, sections=tuple(sections), loose=tuple(loose), almost=almost)


def _index_known_texts(
    entries: Sequence[IssueEntry], decision: tuple[str, str]
) -> tuple[dict[tuple[str, str, int], list[tuple[int, list[str]]]], list[str]]:
    """What is on record, by whose heading it stands below, in each form; and every entry's text as it is compared."""
    known_texts: dict[tuple[str, str, int], list[tuple[int, list[str]]]] = {}
    said_before: list[str] = []
    for which, entry in enumerate(entries):
        whole, forms = (_cached_forms if len(entry.text) <= CACHED_FORM else _build_forms)(entry.text)
        said_before.append(whole)
        known_texts.setdefault((entry.by, entry.kind, entry.number), []).extend((which, form) for form in forms)
    if decision[1]:
        known_texts["", decision[0], 0] = [(len(entries), fold_text(decision[1]).split("\n"))]
    return known_texts, said_before


def _strip_title(top: list[str]) -> list[str]:
    """What stands above the first heading of an entry, its title blank, so that the lines stay counted."""
    title = next((n for n, line in enumerate(top) if line), 0)
    if top and top[title].startswith("# "):
        # Blank lines in place of the title: line numbers are shown to people, and must be those of the file.
        return [*[""] * (title + 1), *top[title + 1 :]]
    return top


def _build_forms(text: str) -> tuple[str, tuple[list[str], ...]]:
    """A text as it is compared, and the lines of each form in which a file may have it."""
    whole = fold_text(text)
    short = strip_rules(whole)
    # Two forms because editors drop rulers and trailing spaces: either is the entry as it was recorded.
    return whole, tuple(form.split("\n") for form in ((whole,) if short == whole else (whole, short)) if form)


# An entry that is on record stays as it is, and is looked for whenever its file changes.
_cached_forms = lru_cache(maxsize=4096)(_build_forms)


def _add_stray_text(loose: list[StrayText], lines: Sequence[str], first: int) -> None:
    text, text_line = _extract_block(lines, first)
    # Rulers and comments are layout. Only a word is something that could get lost.
    if text and re.search(r"\w", extract_visible_text(text)):
        loose.append(StrayText(text, text_line))


def _extract_block(lines: Sequence[str], first: int) -> tuple[str, int]:
    """What stands in these lines, and the line where it begins."""
    blank = next((n for n, line in enumerate(lines) if line.strip()), -1)
    if blank < 0:
        return "", first
    return trim_text("\n".join(lines)), first + blank


def render_entry(by: str, kind: str, number: int, text: str) -> str:
    """One entry, with its heading."""
    return f"## {by}'s {kind} (round {number})\n{fold_text(text)}\n"


def render_positions(issue: Issue) -> str:
    """A whole position file, as the log has it."""
    parts = [f"# Positions: {issue.title}\n"]
    parts += [render_entry(e.by, e.kind, e.number, e.text) for e in issue.entries]
    parts.append(_render_status(issue.status, issue.decision))
    return "\n".join(parts)


def _render_status(status: str, decision: str) -> str:
    return f"## Status: {status}\n" + (f"{fold_text(decision)}\n" if decision else "")


def insert_entry(text: str | None, issue: Issue, entry: IssueEntry, instead_of: str | None = None) -> str:
    """The file with one more entry, in place of its author's text `instead_of` where that still stands there."""
    if text is None or not text.strip():
        text = f"# Positions: {issue.title}\n"
    # The text that is revised is no longer in the state, but still in the file, where it must be found to be
    # replaced.
    before = [] if instead_of is None else [IssueEntry(entry.by, entry.kind, entry.number, instead_of, entry.turn)]
    sheet = parse_positions(text, [*issue.entries, *before], (str(issue.status), issue.decision))
    lines = text.rstrip("\n").split("\n")
    same = [s for s in sheet.sections if (s.by, s.kind) == (entry.by, entry.kind)]
    # Said already: a crash may have come between the file and the note that it was told.
    if any(s.text == fold_text(entry.text) and s.number == entry.number for s in same):
        return text
    same = [s for s in same if instead_of is not None and s.text == fold_text(instead_of)]
    block = render_entry(entry.by, entry.kind, entry.number, entry.text).rstrip("\n").split("\n")
    # In its place, not below: an entry twice in the file would be read as two.
    if same:
        lines[same[-1].line - 1 : same[-1].end - 1] = [*block, ""]
    # Somebody wrote below the Status. What comes next goes below that, or the order of the talk would be lost.
    elif sheet.status_line and sheet.sections and sheet.sections[-1].line > sheet.status_line:
        lines += ["", *block]
    elif sheet.status_line:
        index = sheet.status_line - 1
        lines[index:index] = [*block, ""] if index and not lines[index - 1].strip() else ["", *block, ""]
    else:
        lines += ["", *block, "", f"## Status: {issue.status}"]
    return "\n".join(lines).rstrip("\n") + "\n"


def set_status(text: str | None, issue: Issue, status: str, decision: str, known_texts: Collection[str] = ()) -> str:
    """The file with this as its last Status. It takes the place of the one before, unless words stand there that are
    not `known` to the log: those are somebody's, and stay."""
    if text is None or not text.strip():
        text = f"# Positions: {issue.title}\n"
    sheet = parse_positions(text, issue.entries, (status, decision))
    if sheet.status == status and sheet.decision == fold_text(decision):
        return text
    lines = text.rstrip("\n").split("\n")
    block = _render_status(status, decision).rstrip("\n").split("\n")
    # Words that the log does not know are not written over: they may be the only copy.
    if sheet.status_line and (
        not sheet.decision or sheet.decision in {trim_text(known_text) for known_text in known_texts}
    ):
        end = sheet.status_end - 1
        lines[sheet.status_line - 1 : end] = [*block, ""] if end < len(lines) else block
    else:
        lines += ["", *block]
    return "\n".join(lines).rstrip("\n") + "\n"


def parse_issue_title(text: str, stem: str) -> str:
    """The title of an issue file, or its name where it has none."""
    match = re.search(r"^#\s+(?:Issue:\s*)?(.+?)\s*$", text, re.MULTILINE)
    # A file without a title is named by its number and topic: nobody has to open it to know what it is about.
    return match[1] if match else stem.partition("-")[2].replace("-", " ") or stem


def is_unwritten(text: str) -> bool:
    """Whether an issue is still the empty form, or less."""
    return not any(
        line.strip() and not line.startswith("#") and not line.lstrip().startswith("[TODO") for line in text.split("\n")
    )


def parse_meta(text: str, before: Settings | None = None) -> tuple[Settings, dict[str, str]]:
    """The settings in meta.md, and all its keys. Raises ConfigError for values that cannot be."""
    keys = {m[1]: m[2] for m in _META.finditer(text)}
    values = (before or Settings()).to_dict()
    for key, name in _KEYS.items():
        # At most nine digits: a number from a file becomes a duration, and must not overflow one.
        if key in keys and re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,6})?", keys[key]):
            value = float(keys[key])
            values[name] = int(value) if value.is_integer() else value
    values["expected_agents"], values["max_rounds"] = int(values["expected_agents"]), int(values["max_rounds"])
    if "rigorous" in keys:
        values["rigorous"] = keys["rigorous"].lower() in ("yes", "true", "1")
    return Settings.from_dict(values), keys


def render_meta(settings: Settings, created: float, deadline: float | None) -> str:
    """meta.md."""
    lines = ["# Negotiation", ""]
    lines += [f"- **{key}:** {getattr(settings, name):g}" for key, name in _KEYS.items()]
    if settings.rigorous:
        lines.append("- **rigorous:** yes")
    lines.append(f"- **created:** {format_utc(created)}")
    if deadline is not None:
        lines.append(render_deadline(deadline))
    return "\n".join(lines) + "\n"


def render_deadline(deadline: float) -> str:
    """The line that the first registration adds to meta.md."""
    return f"- **registration_deadline:** {format_utc(deadline)}"


@dataclass(frozen=True, slots=True)
class AgentLine:
    """One line of agents.md."""

    name: str
    participant: str
    line: int
    raw: str = field(compare=False, default="")


def parse_agents(text: str) -> tuple[AgentLine, ...]:
    """The agents in agents.md, in their order, duplicates and all, without comments."""
    agents = []
    hidden = False
    for number, line in enumerate(text.split("\n"), 1):
        # A comment in the file is the seed's own form for a note to people; an agent named in it is not seated.
        if hidden or line.lstrip().startswith("<!--"):
            hidden = "-->" not in line
            continue
        if match := _AGENT.match(line):
            agents.append(AgentLine(match[1], _decode_identity((match[3] or "").strip()), number, line))
    return tuple(agents)


def render_agent(name: str, participant: str, registered_at: float) -> str:
    """One line of agents.md."""
    identity = f", participant: {_encode_identity(participant)}" if participant else ""
    return f"- {name} (registered: {format_utc(registered_at)}{identity})\n"


AGENTS_HEAD = "# Agents\n\n<!-- One line an agent, in the order of their turns. -->\n\n"


def render_agents(names: Iterable[str], participants: Mapping[str, str], times: Mapping[str, float]) -> str:
    """agents.md."""
    return AGENTS_HEAD + "".join(render_agent(n, participants.get(n, ""), times.get(n, 0.0)) for n in names)


def format_utc(timestamp: float) -> str:
    """A time as the files give it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(timestamp))


def _encode_identity(identity: str) -> str:
    """An identity as one word: what could end it early is written as %XX (urllib would do it, and costs 10 ms)."""
    # By hand: `urllib.parse` would be loaded on every command for this one line.
    return "".join(
        c
        if c.isascii() and (c.isalnum() or c in "._-:@/+=~")
        else "".join(f"%{b:02X}" for b in c.encode(errors="replace"))
        for c in identity
    )


def _decode_identity(word: str) -> str:
    """Inverse of `_encode_identity`."""
    data = re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), word.encode())
    return data.decode(errors="replace")
