"""What the holder did to the files: the difference between the Markdown and the log, as edits and as flaws.

Pure but for the reading of files, which a `Shelf` does. Nothing is judged here that the rules can judge; a flaw is what
no move could express: somebody else's text altered or gone, an entry in another's name, a file that cannot be read.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from graphbus_core.negotiation.document.questions import slug
from graphbus_core.negotiation.document.rules import issue_file, position_file
from graphbus_core.negotiation.document.state import Entry, Issue, State
from graphbus_core.negotiation.document.vocabulary import Edits, Mark, NewIssue, Reason, Status, Words
from graphbus_core.stores import directory_files as files
from graphbus_core.stores.directory_markdown import Section, Sheet, folded, issue_title, parse_positions, unwritten


class Shelf:
    """The files of one directory, parsed, and read again only where somebody wrote.

    A file as young as its reading is read again next time: its clock may be too coarse to show a second write.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._base = str(root)
        self._sheets: dict[str, tuple[files.Signature, Sheet]] = {}
        self._texts: dict[str, tuple[files.Signature, str]] = {}

    def text(self, name: str) -> str | None:
        """A file's text, or None where there is none. Raises Unreadable."""
        path = f"{self._base}/{name}"
        signature = files.signature(path)
        if signature is None:
            self._texts.pop(name, None)
            return None
        kept = self._texts.get(name)
        if kept is not None and kept[0] == signature:
            return kept[1]
        found = files.text(path)
        if found is not None and _settled(path, signature):
            self._texts[name] = (signature, found)
        return found

    def sheet(self, stem: str) -> Sheet | None:
        """A position file, parsed. Raises Unreadable."""
        path = f"{self._base}/{position_file(stem)}"
        signature = files.signature(path)
        if signature is None:
            self._sheets.pop(stem, None)
            return None
        kept = self._sheets.get(stem)
        if kept is not None and kept[0] == signature:
            return kept[1]
        found = files.text(path)
        if found is None:
            return None
        sheet = parse_positions(found)
        if _settled(path, signature):
            self._sheets[stem] = (signature, sheet)
        return sheet

    def stems(self, folder: str) -> list[str]:
        """The names of the `.md` files in a folder, without the ending."""
        return [name[:-3] for name in files.listed(f"{self._base}/{folder}")]

    def signs(self) -> str:
        """What changes whenever somebody writes in the directory: a sign of life of an agent without our commands."""
        seen: list[object] = [
            files.signatures(f"{self._base}/{folder}")
            for folder in ("positions", "issues", "analysis", "issues-draft", "sources")
        ]
        seen += [files.signature(f"{self._base}/{name}") for name in ("final.md", ".turn-started")]
        return hashlib.blake2b(repr(seen).encode(errors="replace"), digest_size=8).hexdigest()


def _settled(path: str, signature: files.Signature, racy_ns: int = 50_000_000) -> bool:
    return files.signature(path) == signature and time.time_ns() - signature[2] > racy_ns


@dataclass
class Review:
    """The edits, and what would have to be put back: position files and issues by stem."""

    edits: Edits = field(default_factory=Edits)
    worded: list[tuple[str, str, str]] = field(default_factory=list)  # stem, title, text of issues that were completed
    broken: set[str] = field(default_factory=set)  # stems whose position file breaks a rule by itself
    broken_issues: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)  # of those whose turn comes later, who has written already


def review(state: State, shelf: Shelf, holder: str, later: Collection[str] = ()) -> Review:
    """Everything that differs from the log, read as the work of `holder` in its turn.

    What `later` wrote is left for their turns, and so is the Status of a file that they wrote in.
    """
    result = Review()
    flaws: list[Reason] = []
    new: list[NewIssue] = []
    for stem in shelf.stems("issues"):
        issue = state.issues.get(stem)
        try:
            text = shelf.text(issue_file(stem))
        except files.Unreadable as e:
            flaws.append(Reason(f"{_cap(e)}.", "Write it as a plain UTF-8 text.", issue_file(stem), 1))
            result.broken_issues.add(stem)
            continue
        if text is None:
            continue
        if issue is None:
            new.append(NewIssue(stem, issue_title(text, stem), text, 1))
        elif folded(text) != folded(issue.text):
            if may_word(state, issue, holder):
                result.worded.append((stem, issue_title(text, stem), text))
            else:
                line = _first_difference(text, issue.text)
                flaws.append(
                    Reason(
                        f"The issue was filed{f' by {issue.by}' if issue.by else ''} and is not yours to change.",
                        "Put it back as it was, or file another with new-issue.",
                        issue_file(stem),
                        line,
                        "altered",
                    )
                )
                result.broken_issues.add(stem)
    said: list[Words] = []
    marks: list[Mark] = []
    known = {issue.stem for issue in new} | state.issues.keys()
    for stem in shelf.stems("positions"):
        file = position_file(stem)
        if stem not in known:
            flaws.append(
                Reason("There is no issue of this name.", "File it with new-issue first.", file, 1, "missing-issue")
            )
            result.broken.add(stem)
            continue
        issue = state.issues.get(stem) or Issue(stem, stem, "", holder, state.turn)
        try:
            sheet = shelf.sheet(stem)
        except files.Unreadable as e:
            flaws.append(Reason(f"{_cap(e)}.", "Write it as a plain UTF-8 text.", file, 1))
            result.broken.add(stem)
            continue
        if sheet is None:
            continue
        before = len(flaws)
        waiting: set[str] = set()
        for section in _unrecorded(state, issue, sheet, holder, flaws):
            if section.by == holder:
                said.append(Words(stem, section.text, section.kind, section.number, section.line))
            elif section.by in later:
                waiting.add(section.by)
            else:
                flaws.append(_forged(section, holder, file))
        if not waiting and (mark := _mark(issue, sheet, flaws)) is not None:
            marks.append(mark)
        result.waiting |= waiting
        if len(flaws) > before:
            result.broken.add(stem)
    result.edits = Edits(tuple(said), tuple(marks), tuple(new), tuple(flaws))
    return result


def may_word(state: State, issue: Issue, holder: str) -> bool:
    """Whether the text of an issue may still be completed: by its author in the turn, or while it is an empty form."""
    if issue.turn == state.turn and issue.by in ("", holder):
        return True
    return unwritten(issue.text) or (not issue.by and not issue.entries)


def _unrecorded(state: State, issue: Issue, sheet: Sheet, holder: str, flaws: list[Reason]) -> list[Section]:
    """The entries that the log does not have; `flaws` hears of those that it has and the file has not."""
    file = position_file(issue.stem)
    left: list[Section] = list(sheet.sections)
    gone: list[Entry] = []
    index: dict[tuple[str, str, int, str], list[Section]] = {}
    for section in left:
        index.setdefault((section.by, section.kind, section.number, section.text), []).append(section)
    matched: dict[int, Entry] = {}
    for entry in issue.entries:
        same = index.get((entry.by, entry.kind, entry.number, folded(entry.text)))
        if same:
            matched[id(same.pop(0))] = entry
        else:
            gone.append(entry)
    left = [section for section in left if id(section) not in matched]
    for entry in gone:
        own = entry.by == holder and entry.turn == state.turn
        same = [s for s in left if (s.by, s.kind) == (entry.by, entry.kind) and (own or s.number == entry.number)]
        altered = same[0] if same else None
        if own and altered is not None:
            continue  # a revision of what nobody has answered yet: it is among the new ones
        if altered is not None:
            left.remove(altered)
        whose = "Your earlier entry" if entry.by == holder else f"{entry.by}'s entry"
        flaws.append(
            Reason(
                f"{whose} (round {entry.number}) was {'altered' if altered else 'removed'}.",
                "Entries are only ever added: put it back as it was"
                " (`graphbus negotiate recover DIR` does), and append your own.",
                file,
                altered.line if altered else 0,
                "altered",
            )
        )
    # A second entry beside one that this turn has already is no revision of it: both are said, and the rules ask which.
    twice = {s.kind for s in left if s.by == holder}
    said_now = {id_ for id_, e in matched.items() if e.by == holder and e.turn == state.turn and e.kind in twice}
    new = {id(section) for section in left} | said_now
    return [section for section in sheet.sections if id(section) in new]


def _forged(section: Section, holder: str, file: str) -> Reason:
    return Reason(
        f"An entry in the name of {section.by}, while the turn is {holder}'s.",
        "Take it out; `graphbus negotiate recover DIR` sets it aside.",
        file,
        section.line,
        "forged",
    )


def _mark(issue: Issue, sheet: Sheet, flaws: list[Reason]) -> Mark | None:
    if not sheet.status:
        if not issue.open:
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
    if sheet.status == issue.status and (issue.open or folded(sheet.decision) == folded(issue.decision)):
        return None
    return Mark(issue.stem, sheet.status, "" if sheet.status == Status.OPEN else sheet.decision, sheet.status_line)


def _first_difference(text: str, before: str) -> int:
    old = before.split("\n")
    for number, line in enumerate(text.split("\n"), 1):
        if number > len(old) or line.rstrip() != old[number - 1].rstrip():
            return number
    return len(text.split("\n"))


def _cap(e: Exception) -> str:
    text = str(e)
    return text[:1].upper() + text[1:]


def stem_of(name: str, state: State) -> str | None:
    """The issue that is meant by a stem, a file name, a number, or a topic; None where it is none or several."""
    name = name.strip().rsplit("/", 1)[-1]
    name = name[:-3] if name.endswith(".md") else name
    if name in state.issues:
        return name
    wanted = slug(name)
    found = [s for s in state.issues if s.partition("-")[2] == wanted]
    if name.isdecimal():
        found = [s for s in state.issues if s.partition("-")[0].isdecimal() and int(s.partition("-")[0]) == int(name)]
    return found[0] if len(found) == 1 else None
