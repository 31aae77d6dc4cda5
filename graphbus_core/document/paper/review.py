"""What the holder did to the files: the difference between the Markdown and the log, as edits and as flaws.

Pure but for the reading of files, which a `Shelf` does. Nothing is judged here that the rules can judge; a flaw is what
no move could express: somebody else's text altered or gone, an entry in another's name, a file that cannot be read.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from graphbus_core.document.paper import files
from graphbus_core.document.paper.markdown import Loose, Section, Sheet, issue_title, parse_positions, unwritten
from graphbus_core.negotiation.document.judging import issue_file, position_file
from graphbus_core.negotiation.document.questions import slug
from graphbus_core.negotiation.document.said.state import Issue, IssueEntry, State
from graphbus_core.negotiation.document.said.vocabulary import Edits, Mark, NewIssue, Reason, Remark, Status, Words
from graphbus_core.negotiation.document.text.headings import Voices, folded, read, trimmed


class Shelf:
    """The files of one directory, parsed, and read again only where somebody wrote.

    A file as young as its reading is read again next time: its clock may be too coarse to show a second write.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._base = str(root)
        self._sheets: dict[str, tuple[files.Signature, object, Sheet]] = {}
        self._texts: dict[str, tuple[files.Signature, str]] = {}

    def text(self, name: str) -> str | None:
        """A file's text, or None where there is none. Raises UnreadableFile."""
        path = f"{self._base}/{name}"
        signature = files.signature(path)
        if signature is None:
            self._texts.pop(name, None)
            return None
        kept = self._texts.get(name)
        if kept is not None and kept[0] == signature:
            return kept[1]
        found = files.text(path)
        # A file that was written within the last moments is not kept: a second write in the same tick has the same
        # signature.
        if found is not None and _settled(path, signature):
            self._texts[name] = (signature, found)
        return found

    def sheet(self, issue: Issue, voices: Voices, turn: int) -> Sheet | None:
        """An issue's position file, parsed by what the log has of it. Raises UnreadableFile."""
        stem = issue.stem
        path = f"{self._base}/{position_file(stem)}"
        signature = files.signature(path)
        if signature is None:
            self._sheets.pop(stem, None)
            return None
        # What a file means depends on what the log has of it, so the parsed form is kept by both.
        basis = (tuple(issue.entries), issue.status, issue.decision, voices, turn)
        kept = self._sheets.get(stem)
        if kept is not None and kept[0] == signature and kept[1] == basis:
            return kept[2]
        found = files.text(path)
        if found is None:
            return None
        must = [n for n, entry in enumerate(issue.entries) if entry.turn < turn]
        sheet = parse_positions(found, issue.entries, (str(issue.status), issue.decision), voices, must)
        if _settled(path, signature):
            self._sheets[stem] = (signature, basis, sheet)
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
        # `repr` and not JSON: names may hold bytes that are not text.
        return hashlib.blake2b(repr(seen).encode(errors="replace"), digest_size=8).hexdigest()


# Fifty milliseconds: longer than a tick of the clocks that file systems commonly keep. Two writes within one tick
# have the same signature.
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


def review(state: State, shelf: Shelf, holder: str, later: Collection[str] = (), unsaid: int = 0) -> Review:
    """Everything that differs from the log, read as the work of `holder` in its turn.

    What `later` wrote is left for their turns, and so is the Status of a file that they wrote in. `unsaid`: from this
    turn on the files have not been told yet what we made of a turn, so nobody has removed it.
    """
    result = Review()
    flaws: list[Reason] = []
    new = _issues(state, shelf, holder, result, flaws)
    said: list[Words] = []
    marks: list[Mark] = []
    remarks: list[Remark] = []
    voices = Voices(holder, tuple(sorted(later)))
    known = {issue.stem for issue in new} | state.issues.keys()
    for stem in shelf.stems("positions"):
        file = position_file(stem)
        before = len(flaws)
        # A file of an issue that is not known is read as if it were new: its author filed and wrote in one go.
        issue = state.issues.get(stem) or Issue(stem, stem, "", holder, state.turn)
        sheet = _sheet(issue, stem in known, shelf, voices, state, flaws)
        if sheet is not None:
            waiting: set[str] = set()
            for section in _unrecorded(state, issue, sheet, holder, flaws, unsaid):
                if section.by == holder:
                    said.append(Words(stem, section.text, section.kind, section.number, section.line))
                elif section.by in later:
                    waiting.add(section.by)
                else:
                    flaws.append(_forged(state, section, holder, file))
            # With others waiting in the file, its Status may be theirs. It is read in their turn.
            mark = None if waiting else _mark(issue, sheet, flaws)
            marks += [mark] if mark is not None else []
            result.waiting |= waiting
            remarks += [Remark(stem, loose.text, loose.line) for loose in _unknown(issue, sheet)]
            if not waiting and not issue.settled:
                flaws += _almost(state, issue, sheet, holder, file)
        # The whole file is put back where any of it breaks a rule. Parts of two states would be nobody's text.
        if len(flaws) > before:
            result.broken.add(stem)
    result.edits = Edits(
        tuple(said), tuple(marks), tuple(new), tuple(flaws), tuple(remarks), _blank(state, result, new, holder)
    )
    return result


def _issues(state: State, shelf: Shelf, holder: str, result: Review, flaws: list[Reason]) -> list[NewIssue]:
    """The issues that the log does not have; what became of those that it has is put into `result`."""
    new: list[NewIssue] = []
    for stem in shelf.stems("issues"):
        issue = state.issues.get(stem)
        try:
            text = shelf.text(issue_file(stem))
        except files.UnreadableFile as e:
            flaws.append(Reason(f"{_cap(e)}.", e.todo, issue_file(stem), 1))
            result.broken_issues.add(stem)
            continue
        if text is None:
            continue
        if issue is None:
            new.append(NewIssue(stem, issue_title(text, stem), text, 1))
        # By meaning: a changed line ending is not a change of the issue.
        elif folded(text) != folded(issue.text):
            if may_word(state, issue, holder):
                result.worded.append((stem, issue_title(text, stem), text))
                continue
            what = f"The issue was filed{f' by {issue.by}' if issue.by else ''} and is not yours to change."
            todo = "Put it back as it was, or file another with new-issue."
            flaws.append(Reason(what, todo, issue_file(stem), _first_difference(text, issue.text), "altered"))
            result.broken_issues.add(stem)
    return new


def _sheet(
    issue: Issue, is_known: bool, shelf: Shelf, voices: Voices, state: State, flaws: list[Reason]
) -> Sheet | None:
    """An issue's position file, parsed; None where there is nothing to read, and `flaws` hears why."""
    file = position_file(issue.stem)
    if not is_known:
        what = "There is no issue of this name."
        flaws.append(Reason(what, "File it with new-issue first.", file, 1, "missing-issue"))
        return None
    try:
        return shelf.sheet(issue, voices, state.turn)
    except files.UnreadableFile as e:
        flaws.append(Reason(f"{_cap(e)}.", e.todo, file, 1))
        return None


def _blank(state: State, found: Review, new: Collection[NewIssue], holder: str) -> tuple[str, ...]:
    """Issues that the holder filed in this turn, and that are still the empty form."""
    texts = {i.stem: i.text for i in state.issues.values() if holder and i.by == holder and i.turn == state.turn}
    texts |= {stem: text for stem, _, text in found.worded if stem in texts}
    texts |= {issue.stem: issue.text for issue in new if holder}
    return tuple(stem for stem, text in texts.items() if unwritten(text))


def _unknown(issue: Issue, sheet: Sheet) -> list[Loose]:
    """What stands in no entry and no decision, and in no earlier one that the log has."""
    if not sheet.loose:
        return []
    known = {trimmed(text) for text in (*issue.decisions, *issue.remarks, issue.decision)}
    return [loose for loose in sheet.loose if loose.text not in known]


def _almost(state: State, issue: Issue, sheet: Sheet, holder: str, file: str) -> Iterator[Reason]:
    status = sheet.status or str(issue.status)
    # Else the file's own Status, which the next hand-off rewrites, would look like a slip of its author.
    if issue.accepted_turn.get(holder) == state.turn:
        status = str(Status.AGREED)  # said with a command: the Status line follows with the hand-off
    found = list(sheet.almost)
    for section in sheet.sections:  # what the holder said just now is looked at, too, although the log has it
        entry = issue.entries[section.entry] if section.entry >= 0 else None
        if entry is not None and entry.by == holder and entry.turn == state.turn:
            said = read(folded(entry.text).split("\n"), Voices(holder), within=holder)
            found += [(section.line + 1 + at, word) for at, word in said.almost]
    for line, word in sorted(found):
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
    return unwritten(issue.text) or (not issue.by and not issue.entries)


def _unrecorded(
    state: State, issue: Issue, sheet: Sheet, holder: str, flaws: list[Reason], unsaid: int
) -> list[Section]:
    """The entries that the log does not have; `flaws` hears of those that it has and the file has not."""
    file = position_file(issue.stem)
    left = [section for section in sheet.sections if section.entry < 0]
    recorded = [(section, issue.entries[section.entry]) for section in sheet.sections if section.entry >= 0]
    mine = [section for section, entry in recorded if _just_said(state, entry, holder)]
    longer = [(section, entry) for section, entry in recorded if section.more]
    flaws += [_added(state, issue, s, entry, holder, file) for s, entry in longer if s not in mine]
    flaws += _gone(state, issue, sheet, left, holder, unsaid)
    # A second entry beside one that this turn has is not a revision of it: both are said, and the rules ask which.
    new = [*left, *(section for section in mine if section.more)]
    twice = {section.kind for section in new if section.by == holder}
    kept = {id(section) for section in (*new, *(s for s in mine if s.kind in twice))}
    return [section for section in sheet.sections if id(section) in kept]


def _gone(state: State, issue: Issue, sheet: Sheet, left: list[Section], holder: str, unsaid: int) -> Iterator[Reason]:
    """Entries of the log that are not in the file. What is in the place of one is taken out of `left`: it is not a new
    entry of anybody's."""
    there = {section.entry for section in sheet.sections}
    for entry in (entry for n, entry in enumerate(issue.entries) if n not in there):
        # The file will be told in this very pass. Taken for removed, it would be put back and reported as an attack.
        if 0 < unsaid <= entry.turn and (entry.offer or entry.kind == "note"):
            continue  # recorded in this very pass: the file is told of it afterwards
        own = _just_said(state, entry, holder)
        same = [s for s in left if (s.by, s.kind) == (entry.by, entry.kind) and (own or s.number == entry.number)]
        if own and same:
            continue  # a revision of what nobody has answered yet: it is among the new ones
        if same:
            left.remove(same[0])
        yield _lost(entry, same[0] if same else None, holder, position_file(issue.stem))


def _just_said(state: State, entry: IssueEntry, holder: str) -> bool:
    """Whether the holder said this in its present turn: until it hands over, that may still be revised."""
    return entry.by == holder and entry.turn == state.turn


def _lost(entry: IssueEntry, altered: Section | None, holder: str, file: str) -> Reason:
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


def _added(state: State, issue: Issue, section: Section, entry: IssueEntry, holder: str, file: str) -> Reason:
    whose = "your earlier entry" if entry.by == holder else f"{entry.by}'s entry"
    number = state.rounds_used(issue, holder) + 1 if holder else 1
    return Reason(
        f"From here on words were added below {whose} (round {entry.number}), under no heading of their own.",
        f"If they are yours, write `## {holder or 'NAME'}'s position (round {number})` above them.",
        file,
        section.more_line,
        "added",
    )


def _forged(state: State, section: Section, holder: str, file: str) -> Reason:
    todo = "Take it out; `graphbus negotiate recover DIR` sets it aside."
    if section.by not in state.agents:
        todo = f"If it is yours, write `## {holder}'s {section.kind} (round N)`; else take it out."
    return Reason(
        f"An entry in the name of {section.by}, while the turn is {holder}'s.", todo, file, section.line, "forged"
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
    if sheet.status == issue.status and (issue.open or trimmed(sheet.decision) == trimmed(issue.decision)):
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
