"""What the holder did to the files: the difference between the Markdown and the log, as edits and as flaws.

Pure but for the reading of files, which a `FileCache` does. Nothing is judged here that the rules can judge; a flaw is
what
no move could express: somebody else's text altered or gone, an entry in another's name, a file that cannot be read.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from graphbus_core.negotiation.document.model import Edits, Mark, NewIssue, Reason, Remark, Status, Words
from graphbus_core.negotiation.document.questions import slugify
from graphbus_core.negotiation.document.state import Issue, IssueEntry, State
from graphbus_core.negotiation.document.text.headings import Voices, fold_text, parse_outline, trim_text
from graphbus_core.negotiation.document.validation import issue_file, position_file
from graphbus_core.sessions.document import files
from graphbus_core.sessions.document.markdown import (
    PositionSheet,
    Section,
    StrayText,
    is_unwritten,
    parse_issue_title,
    parse_positions,
)


class FileCache:
    """The files of one directory, parsed, and read again only where somebody wrote.

    A file as young as its reading is read again next time: its clock may be too coarse to show a second write.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._base = str(root)
        self._sheets: dict[str, tuple[files.Signature, object, PositionSheet]] = {}
        self._texts: dict[str, tuple[files.Signature, str]] = {}

    def read_text(self, name: str) -> str | None:
        """A file's text, or None where there is none. Raises UnreadableFile."""
        path = f"{self._base}/{name}"
        signature = files.read_signature(path)
        if signature is None:
            self._texts.pop(name, None)
            return None
        cached = self._texts.get(name)
        if cached is not None and cached[0] == signature:
            return cached[1]
        content = files.read_text(path)
        # A file that was written within the last moments is not kept: a second write in the same tick has the same
        # signature.
        if content is not None and _is_settled(path, signature):
            self._texts[name] = (signature, content)
        return content

    def read_sheet(self, issue: Issue, voices: Voices, turn: int) -> PositionSheet | None:
        """An issue's position file, parsed by what the log has of it. Raises UnreadableFile."""
        stem = issue.stem
        path = f"{self._base}/{position_file(stem)}"
        signature = files.read_signature(path)
        if signature is None:
            self._sheets.pop(stem, None)
            return None
        # What a file means depends on what the log has of it, so the parsed form is kept by both.
        basis = (tuple(issue.entries), issue.status, issue.decision, voices, turn)
        cached = self._sheets.get(stem)
        if cached is not None and cached[0] == signature and cached[1] == basis:
            return cached[2]
        content = files.read_text(path)
        if content is None:
            return None
        must = [n for n, entry in enumerate(issue.entries) if entry.turn < turn]
        sheet = parse_positions(content, issue.entries, (str(issue.status), issue.decision), voices, must)
        if _is_settled(path, signature):
            self._sheets[stem] = (signature, basis, sheet)
        return sheet

    def list_stems(self, folder: str) -> list[str]:
        """The names of the `.md` files in a folder, without the ending."""
        return [name[:-3] for name in files.list_markdown(f"{self._base}/{folder}")]

    def compute_signature(self) -> str:
        """What changes whenever somebody writes in the directory: a sign of life of an agent without our commands."""
        observed: list[object] = [
            files.read_signatures(f"{self._base}/{folder}")
            for folder in ("positions", "issues", "analysis", "issues-draft", "sources")
        ]
        observed += [files.read_signature(f"{self._base}/{name}") for name in ("final.md", ".turn-started")]
        # `repr` and not JSON: names may hold bytes that are not text.
        return hashlib.blake2b(repr(observed).encode(errors="replace"), digest_size=8).hexdigest()


# Fifty milliseconds: longer than a tick of the clocks that file systems commonly keep. Two writes within one tick
# have the same signature.
def _is_settled(path: str, signature: files.Signature, racy_ns: int = 50_000_000) -> bool:
    return files.read_signature(path) == signature and time.time_ns() - signature[2] > racy_ns


@dataclass
class Review:
    """The edits, and what would have to be put back: position files and issues by stem."""

    edits: Edits = field(default_factory=Edits)
    worded: list[tuple[str, str, str]] = field(default_factory=list)  # stem, title, text of issues that were completed
    broken: set[str] = field(default_factory=set)  # stems whose position file breaks a rule by itself
    broken_issues: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)  # of those whose turn comes later, who has written already


def review(state: State, shelf: FileCache, holder: str, later: Collection[str] = (), unsaid: int = 0) -> Review:
    """Everything that differs from the log, read as the work of `holder` in its turn.

    What `later` wrote is left for their turns, and so is the Status of a file that they wrote in. `unsaid`: from this
    turn on the files have not been told yet what we made of a turn, so nobody has removed it.
    """
    result = Review()
    flaws: list[Reason] = []
    new = _review_issues(state, shelf, holder, result, flaws)
    new_words: list[Words] = []
    marks: list[Mark] = []
    remarks: list[Remark] = []
    voices = Voices(holder, tuple(sorted(later)))
    known_stems = {issue.stem for issue in new} | state.issues.keys()
    for stem in shelf.list_stems("positions"):
        file = position_file(stem)
        before = len(flaws)
        # A file of an issue that is not known is read as if it were new: its author filed and wrote in one go.
        issue = state.issues.get(stem) or Issue(stem, stem, "", holder, state.turn)
        sheet = _read_sheet(issue, stem in known_stems, shelf, voices, state, flaws)
        if sheet is not None:
            waiting: set[str] = set()
            for section in _find_unrecorded(state, issue, sheet, holder, flaws, unsaid):
                if section.by == holder:
                    new_words.append(Words(stem, section.text, section.kind, section.number, section.line))
                elif section.by in later:
                    waiting.add(section.by)
                else:
                    flaws.append(_build_forged_reason(state, section, holder, file))
            # With others waiting in the file, its Status may be theirs. It is read in their turn.
            mark = None if waiting else _read_mark(issue, sheet, flaws)
            if mark is not None and holder in state.tokens and _has_spoken(state, issue, holder):
                flaws.append(_build_beside_reason(f"A Status {mark.status}", mark.line, file))
                mark = None
            marks += [mark] if mark is not None else []
            result.waiting |= waiting
            remarks += [Remark(stem, loose.text, loose.line) for loose in _find_stray_text(issue, sheet)]
            if not waiting and not issue.is_settled:
                flaws += _report_almost_statuses(state, issue, sheet, holder, file)
        # The whole file is put back where any of it breaks a rule. Parts of two states would be nobody's text.
        if len(flaws) > before:
            result.broken.add(stem)
    result.edits = Edits(
        tuple(new_words),
        tuple(marks),
        tuple(new),
        tuple(flaws),
        tuple(remarks),
        _find_blank_issues(state, result, new, holder),
    )
    return result


def _review_issues(state: State, shelf: FileCache, holder: str, result: Review, flaws: list[Reason]) -> list[NewIssue]:
    """The issues that the log does not have; what became of those that it has is put into `result`."""
    new: list[NewIssue] = []
    for stem in shelf.list_stems("issues"):
        issue = state.issues.get(stem)
        try:
            text = shelf.read_text(issue_file(stem))
        except files.UnreadableFile as e:
            flaws.append(Reason(f"{_capitalize_message(e)}.", e.todo, issue_file(stem), 1))
            result.broken_issues.add(stem)
            continue
        if text is None:
            continue
        if issue is None:
            new.append(NewIssue(stem, parse_issue_title(text, stem), text, 1))
        # By meaning: a changed line ending is not a change of the issue.
        elif fold_text(text) != fold_text(issue.text):
            if may_word(state, issue, holder):
                result.worded.append((stem, parse_issue_title(text, stem), text))
                continue
            what = f"The issue was filed{f' by {issue.by}' if issue.by else ''} and is not yours to change."
            todo = "Put it back as it was, or file another with new-issue."
            flaws.append(Reason(what, todo, issue_file(stem), _find_first_difference(text, issue.text), "altered"))
            result.broken_issues.add(stem)
    return new


def _read_sheet(
    issue: Issue, is_known: bool, shelf: FileCache, voices: Voices, state: State, flaws: list[Reason]
) -> PositionSheet | None:
    """An issue's position file, parsed; None where there is nothing to read, and `flaws` hears why."""
    file = position_file(issue.stem)
    if not is_known:
        what = "There is no issue of this name."
        flaws.append(Reason(what, "File it with new-issue first.", file, 1, "missing-issue"))
        return None
    try:
        return shelf.read_sheet(issue, voices, state.turn)
    except files.UnreadableFile as e:
        flaws.append(Reason(f"{_capitalize_message(e)}.", e.todo, file, 1))
        return None


def _find_blank_issues(state: State, turn_review: Review, new: Collection[NewIssue], holder: str) -> tuple[str, ...]:
    """Issues that the holder filed in this turn, and that are still the empty form."""
    texts = {i.stem: i.text for i in state.issues.values() if holder and i.by == holder and i.turn == state.turn}
    texts |= {stem: text for stem, _, text in turn_review.worded if stem in texts}
    texts |= {issue.stem: issue.text for issue in new if holder}
    return tuple(stem for stem, text in texts.items() if is_unwritten(text))


def _find_stray_text(issue: Issue, sheet: PositionSheet) -> list[StrayText]:
    """What stands in no entry and no decision, and in no earlier one that the log has."""
    if not sheet.loose:
        return []
    known_texts = {trim_text(text) for text in (*issue.decisions, *issue.remarks, issue.decision)}
    return [loose for loose in sheet.loose if loose.text not in known_texts]


def _report_almost_statuses(
    state: State, issue: Issue, sheet: PositionSheet, holder: str, file: str
) -> Iterator[Reason]:
    status = sheet.status or str(issue.status)
    # Else the file's own Status, which the next hand-off rewrites, would look like a slip of its author.
    if issue.accepted_turn.get(holder) == state.turn:
        status = str(Status.AGREED)  # said with a command: the Status line follows with the hand-off
    almost_lines = list(sheet.almost)
    for section in sheet.sections:  # what the holder said just now is looked at, too, although the log has it
        entry = issue.entries[section.entry] if section.entry >= 0 else None
        if entry is not None and entry.by == holder and entry.turn == state.turn:
            outline = parse_outline(fold_text(entry.text).split("\n"), Voices(holder), within=holder)
            almost_lines += [(section.line + 1 + offset, word) for offset, word in outline.almost]
    for line, word in sorted(almost_lines):
        if word != status:
            yield Reason(
                f"This looks like a Status line and is not one: the Status is {status}.",
                f"Write `## Status: {word}`, with the decision or the summary below it, as the last part of the file;"
                " if it is not a status, indent it by four spaces or put it in a code fence.",
                file,
                line,
                "almost",
            )


def may_word(state: State, issue: Issue, holder: str) -> bool:
    """Whether the text of an issue may still be completed: by its author in the turn, or while it is an empty form."""
    if issue.turn == state.turn and issue.by in ("", holder):
        return True
    # Somebody has to be able to finish a form that its author left empty.
    return is_unwritten(issue.text) or (not issue.by and not issue.entries)


def _find_unrecorded(
    state: State, issue: Issue, sheet: PositionSheet, holder: str, flaws: list[Reason], unsaid: int
) -> list[Section]:
    """The entries that the log does not have; `flaws` hears of those that it has and the file has not."""
    file = position_file(issue.stem)
    unmatched = [section for section in sheet.sections if section.entry < 0]
    recorded = [(section, issue.entries[section.entry]) for section in sheet.sections if section.entry >= 0]
    mine = [section for section, entry in recorded if _was_just_said(state, entry, holder)]
    longer = [(section, entry) for section, entry in recorded if section.more]
    flaws += [_build_added_reason(state, issue, s, entry, holder, file) for s, entry in longer if s not in mine]
    flaws += _report_missing_entries(state, issue, sheet, unmatched, holder, unsaid)
    if mine and holder in state.tokens:
        # This seat speaks here by command, with its token; a file proves nobody, and anybody can write in it.
        beside = [section for section in unmatched if section.by == holder]
        flaws += [_build_beside_reason(f"An entry in the name of {holder}", s.line, file) for s in beside]
        unmatched = [section for section in unmatched if section.by != holder]
    # A second entry beside one that this turn has is not a revision of it: both are said, and the rules ask which.
    new = [*unmatched, *(section for section in mine if section.more)]
    twice = {section.kind for section in new if section.by == holder}
    included = {id(section) for section in (*new, *(s for s in mine if s.kind in twice))}
    return [section for section in sheet.sections if id(section) in included]


def _report_missing_entries(
    state: State, issue: Issue, sheet: PositionSheet, unmatched: list[Section], holder: str, unsaid: int
) -> Iterator[Reason]:
    """Entries of the log that are not in the file. What is in the place of one is taken out of `left`: it is not a new
    entry of anybody's."""
    present = {section.entry for section in sheet.sections}
    for entry in (entry for n, entry in enumerate(issue.entries) if n not in present):
        # The file will be told in this very pass. Taken for removed, it would be put back and reported as an attack.
        if 0 < unsaid <= entry.turn and (entry.offer or entry.kind == "note"):
            continue  # recorded in this very pass: the file is told of it afterwards
        own = _was_just_said(state, entry, holder)
        same = [s for s in unmatched if (s.by, s.kind) == (entry.by, entry.kind) and (own or s.number == entry.number)]
        if own and same:
            continue  # a revision of what nobody has answered yet: it is among the new ones
        if same:
            unmatched.remove(same[0])
        yield _build_lost_reason(entry, same[0] if same else None, holder, position_file(issue.stem))


def _was_just_said(state: State, entry: IssueEntry, holder: str) -> bool:
    """Whether the holder said this in its present turn: until it hands over, that may still be revised."""
    return entry.by == holder and entry.turn == state.turn


def _build_lost_reason(entry: IssueEntry, altered: Section | None, holder: str, file: str) -> Reason:
    """An entry of the log is not in the file, or other words are in its place."""
    whose = "Your earlier entry" if entry.by == holder else f"{entry.by}'s entry"
    return Reason(
        f"{whose} (round {entry.number}) was {'altered' if altered else 'removed'}.",
        "Entries are only ever added: put it back as it was"
        " (`graphbus negotiate recover DIR` does), and append your own.",
        file,
        altered.line if altered else 0,
        "altered",
    )


def _build_added_reason(
    state: State, issue: Issue, section: Section, entry: IssueEntry, holder: str, file: str
) -> Reason:
    whose = "your earlier entry" if entry.by == holder else f"{entry.by}'s entry"
    number = state.count_rounds(issue, holder) + 1 if holder else 1
    return Reason(
        f"From here on words were added below {whose} (round {entry.number}), under no heading of their own.",
        f"If they are yours, write `## {holder or 'NAME'}'s position (round {number})` above them.",
        file,
        section.more_line,
        "added",
    )


def _build_forged_reason(state: State, section: Section, holder: str, file: str) -> Reason:
    todo = "Take it out; `graphbus negotiate recover DIR` sets it aside."
    if section.by not in state.agents:
        todo = f"If it is yours, write `## {holder}'s {section.kind} (round N)`; else take it out."
    return Reason(
        f"An entry in the name of {section.by}, while the turn is {holder}'s.", todo, file, section.line, "forged"
    )


def _has_spoken(state: State, issue: Issue, holder: str) -> bool:
    """Whether the holder has said something on this issue in its present turn, and that is in the log."""
    return issue.accepted_turn.get(holder) == state.turn or any(_was_just_said(state, e, holder) for e in issue.entries)


def _build_beside_reason(what: str, line: int, file: str) -> Reason:
    return Reason(
        f"{what} that did not come by command, beside what did.",
        "Take it out (`graphbus negotiate recover DIR` sets it aside); if it is yours, say it by command, too.",
        file,
        line,
        "forged",
    )


def _read_mark(issue: Issue, sheet: PositionSheet, flaws: list[Reason]) -> Mark | None:
    if not sheet.status:
        if not issue.is_open:
            flaws.append(
                Reason(
                    f"Its Status line is gone; it was {issue.status}.",
                    "Put it back (`graphbus negotiate recover DIR` does).",
                    position_file(issue.stem),
                    0,
                    "altered",
                )
            )
        return None
    if sheet.status == issue.status and (issue.is_open or trim_text(sheet.decision) == trim_text(issue.decision)):
        return None
    return Mark(issue.stem, sheet.status, "" if sheet.status == Status.OPEN else sheet.decision, sheet.status_line)


def _find_first_difference(text: str, before: str) -> int:
    old = before.split("\n")
    for number, line in enumerate(text.split("\n"), 1):
        if number > len(old) or line.rstrip() != old[number - 1].rstrip():
            return number
    return len(text.split("\n"))


def _capitalize_message(e: Exception) -> str:
    text = str(e)
    return text[:1].upper() + text[1:]


def resolve_issue_stem(name: str, state: State) -> str | None:
    """The issue that is meant by a stem, a file name, a number, or a topic; None where there is not exactly one."""
    name = name.strip().rsplit("/", 1)[-1]
    name = name[:-3] if name.endswith(".md") else name
    if name in state.issues:
        return name
    wanted_slug = slugify(name)
    matches = [s for s in state.issues if s.partition("-")[2] == wanted_slug]
    if name.isdecimal():
        matches = [s for s in state.issues if s.partition("-")[0].isdecimal() and int(s.partition("-")[0]) == int(name)]
    return matches[0] if len(matches) == 1 else None
