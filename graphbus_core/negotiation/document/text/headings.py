"""Which lines of a text are headings of the protocol: in a position file, and in a text that shall be put into one.

Others write by hand. What can only be meant as a heading is read as one, whatever its bold type; what stands in a code
fence is text (CommonMark 0.31, 4.5 "Fenced code blocks"); what only looks like a Status line is told from one. It knows
no file and no log: `known` texts are given, and are never searched for headings.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

MODERATOR = "moderator"  # whose notes explain in a position file what was put back: no agent has this name
STATUSES = ("OPEN", "AGREED", "ESCALATE")

# Compiled where they are first asked: most commands of agents ask whose turn it is and read no heading.
_ATX = r" {0,3}(?P<level>#{1,6})(?P<gap>\s*)(?P<said>.*)"
_ENTRY = r"(?i)\W*(?P<name>[a-z][\w -]{0,80}?)(?P<own>['’‘´ʼ′]s)?\s+(?P<kind>position|challenge)\b(?P<rest>.*)"
_ROUND = r"(?i)\bround\s+([0-9]{1,6})"
_WORDS = (  # what is said on the line of the heading itself
    r"(?i)\b(?:position|challenge)\b[*_`]*(?:\s*\([^()]*\))?[*_`]*\s*(?::|—|–|-(?=\s))[*_`]*\s*(?P<words>\S.*)"
)
_STATUS = r"(?i)\W*status\s*[:：]\s*(?P<status>.*)"
_ALMOST = (
    r"(?i) {0,3}(?:(?P<level>#{1,6})\s*|[-+*]\s+)?[*_\s]*status[*_`\s]*(?P<mark>[:：=–—-])?[*_`\s]*"
    r"(?P<status>agreed|escalated?|open)\b\W*"
)
_FENCE = r"(?P<lead> {0,3}(?:(?:[-+*]|[0-9]{1,9}[.)]) {1,4})*)(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)"
_CLOSING = r"(?P<indent>\s*)(?P<fence>`{3,}|~{3,})\s*"
_RULE = r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*"
_STATUS_PART = "##"  # in place of an author's name
# Most headings are in the exact form; there nothing else has to be asked.
_EXACT = (
    r"## (?:Status: (?P<status>OPEN|AGREED|ESCALATE)"
    r"|(?P<name>[a-z](?:[a-z0-9-]{0,62}[a-z0-9])?)'s (?P<kind>position|challenge|note)"
    r" \(round (?P<number>[0-9]{1,6})\))"
)


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading. Lines count from 0. `kind` is "position", "challenge" or "status"; `status` is as it was written."""

    line: int
    kind: str
    name: str = ""  # of the author, in small letters
    number: int = 0  # of the round, as its author wrote it
    words: str = ""  # what is said on the same line
    status: str = ""
    body: int = 0  # the first line after it that is not known
    known: int = -1  # which of the known texts stands below it


@dataclass
class Outline:
    """What was found. Lines count from 0."""

    heads: list[Heading] = field(default_factory=list)
    left_open: list[int] = field(default_factory=list)  # lines that open a fence which nothing closes
    almost: list[tuple[int, str]] = field(default_factory=list)  # lines that look like this Status, and are not
    hid: bool = False  # a fence has a heading in it
    doubtful: bool = False  # … and another opening of its kind, so it was probably never closed


@dataclass(frozen=True)
class Voices:
    """Who may be meant by a heading that is not in the exact form: the `holder`, and who may have written `later`."""

    holder: str = ""
    later: Collection[str] = ()


NOBODY = Voices()
Known = Mapping[tuple[str, str, int], Sequence[tuple[int, list[str]]]]  # by author, kind, number: (which, lines)


def fold_text(text: str) -> str:
    """What must be the same for two texts to be one: all but blank lines around it and spaces at the ends of lines."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if " \n" in text or "\t\n" in text or "\xa0\n" in text or "\f\n" in text or "\v\n" in text:
        text = "\n".join(line.rstrip(_SPACE) for line in text.split("\n"))
    return text.rstrip(_SPACE).strip("\n")  # the last line ends with the text


_SPACE = " \t\f\v\xa0"


def trim_text(text: str) -> str:
    """A text, folded, without the rules (`---`) at its end: they part it from the next and say nothing."""
    return strip_rules(fold_text(text))


def strip_rules(text: str) -> str:
    """As `trim_text`, of a text that is folded already."""
    while text[-1:] in ("-", "*", "_") and re.fullmatch(_RULE, text[text.rfind("\n") + 1 :]) is not None:
        text = text[: text.rfind("\n") + 1].rstrip("\n")
    return text


def find_heading(text: str, author: str = "") -> int:
    """The first line of `text` (from 1) that the files would take for a heading of the protocol; 0 if none."""
    outline = parse_outline(fold_text(text).split("\n"), Voices(author), within=author)
    return outline.heads[0].line + 1 if outline.heads else 0


def find_open_fence(text: str) -> int:
    """The line of `text` (from 1) that opens a code fence which nothing closes; 0 if there is none."""
    if "```" not in text and "~~~" not in text:
        return 0
    outline = _parse_outline(fold_text(text).split("\n"), NOBODY, {}, True, "")
    return outline.left_open[0] + 1 if outline.left_open else 0


def parse_outline(
    lines: list[str],
    voices: Voices = NOBODY,
    known_texts: Known | None = None,
    must: Iterable[int] = (),
    within: str = "",
) -> Outline:
    """The headings in `lines` (folded). `must`: which of the known texts have to be there.

    A fence counts where it is closed. Where one was probably forgotten to be closed, and a fence has a heading in it,
    fences count for nothing: rather a heading too many, which is refused with its line, than an entry swallowed.
    """
    known_texts = known_texts or {}
    outline = _parse_outline(lines, voices, known_texts, True, within)
    if outline.hid and (outline.left_open or outline.doubtful or set(must) - {head.known for head in outline.heads}):
        plain = _parse_outline(lines, voices, known_texts, False, within)
        plain.left_open = outline.left_open
        return plain
    return outline


def _parse_outline(lines: list[str], voices: Voices, known_texts: Known, fenced: bool, within: str) -> Outline:
    outline = Outline()
    closings: _FenceClosings | None = None  # made where one is asked for: known texts are passed over
    used: set[int] = set()
    index = 0
    while index < len(lines):
        line = lines[index]
        if "#" in line[:4] and (head := parse_heading(line, index, voices, within)) is not None:
            head = _attach_known(head, lines, known_texts, used)
            outline.heads.append(head)
            within, index = head.name or _STATUS_PART, head.body
            continue
        if fenced and ("```" in line or "~~~" in line) and (fence := re.match(_FENCE, line)) is not None:
            closings = closings or _FenceClosings(lines)
            end = closings.find_after(index, fence["fence"], len(fence["lead"].lstrip()) > 0)
            if end is None:
                outline.left_open.append(index)
            else:
                inside = lines[index + 1 : end]
                if any("#" in x[:4] and parse_heading(x, 0, voices, within) is not None for x in inside):
                    outline.hid = True
                    outline.doubtful = outline.doubtful or any(_is_opening(x, fence["fence"]) for x in inside)
                index = end + 1
                continue
        if word := _parse_almost_status(line):
            outline.almost.append((index, word))
        index += 1
    return outline


def _parse_almost_status(line: str) -> str:
    """The word of a line that looks like a Status line and is not one; "" for any other line."""
    if len(line) >= 200 or ("tatus" not in line and "TATUS" not in line):
        return ""
    almost = re.fullmatch(_ALMOST, line)
    return parse_status(almost["status"]) if almost is not None and (almost["level"] or almost["mark"]) else ""


def parse_heading(line: str, line_number: int = 0, voices: Voices = NOBODY, within: str = "") -> Heading | None:
    """The heading that this line is, in an entry of `within`; None where it is not one."""
    exact = _compile_exact()(line)
    if exact is not None:
        if exact["status"]:
            return Heading(line_number, "status", status=exact["status"], body=line_number + 1)
        if exact["kind"] != "note" or exact["name"] == MODERATOR:
            return Heading(line_number, exact["kind"], exact["name"], int(exact["number"]), body=line_number + 1)
    match = re.fullmatch(_ATX, line)
    if match is None:
        return None
    second = match["level"] == "##"
    if not second and not match["gap"]:
        return None
    heading_text = match["said"].rstrip()
    if (bare := heading_text.rstrip("#")) != heading_text and bare[-1:].isspace():
        heading_text = bare.rstrip()
    bare_text = heading_text.replace("*", "").replace("`", "").replace("__", "").strip("_ ")
    if second and (status := re.fullmatch(_STATUS, bare_text)) is not None:
        return Heading(line_number, "status", status=status["status"].strip(), body=line_number + 1)
    entry = re.fullmatch(_ENTRY, bare_text)
    return _parse_entry_heading(entry, line_number, second, heading_text, voices, within) if entry is not None else None


def _parse_entry_heading(
    entry: re.Match[str], line_number: int, second: bool, heading_text: str, voices: Voices, within: str
) -> Heading | None:
    """The heading of an entry; None where the line only speaks of somebody's position."""
    name = re.sub(r"[\s_]+", "-", entry["name"].strip().lower()).strip("-")
    number = re.search(_ROUND, entry["rest"])
    if not (second and entry["own"] and " " not in entry["name"].strip()):
        sure = number is not None
        if name == within or (within == _STATUS_PART and not sure):
            return None  # a part of somebody's text
        if name != voices.holder and not (sure and name in voices.later):
            return None  # about what another said
    words = re.search(_WORDS, heading_text)
    return Heading(
        line_number,
        entry["kind"].lower(),
        name,
        int(number[1]) if number else 0,
        words["words"].strip("*_ " if heading_text[0] in "*_" else " ") if words else "",
        body=line_number + 1,
    )


@cache
def _compile_exact() -> Callable[[str], re.Match[str] | None]:
    return re.compile(_EXACT).fullmatch


def parse_status(status_text: str) -> str:
    """The status that is meant: without bold type, a full stop or a sign behind it. Else as it was written."""
    word = re.sub(r"[\W_]+", " ", status_text).strip().upper()
    word = "ESCALATE" if word == "ESCALATED" else word
    return word if word in STATUSES else status_text or "(nothing)"


def _attach_known(head: Heading, lines: list[str], known_texts: Known, used: set[int]) -> Heading:
    """The heading, with the longest known text that stands below it word for word."""
    key = ("", parse_status(head.status), 0) if head.kind == "status" else (head.name, head.kind, head.number)
    start = head.line + 1
    while start < len(lines) and not lines[start]:
        start += 1
    best, body = -1, head.body
    for which, text in known_texts.get(key, ()):
        if which in used:
            continue
        if text == lines[start : start + len(text)]:
            end = start + len(text)
        elif head.words and text[0] == head.words and text[1:] == lines[head.line + 1 : head.line + len(text)]:
            end = head.line + len(text)
        else:
            continue
        if end > body or best < 0:
            best, body = which, end
    if best < 0:
        return head
    used.add(best)
    return Heading(head.line, head.kind, head.name, head.number, head.words, head.status, body, best)


def _is_opening(line: str, fence: str) -> bool:
    """Whether a line within a fence looks like the opening of another that it could not hold."""
    match = re.match(_FENCE, line)
    return match is not None and match["info"].strip() != "" and match["fence"].startswith(fence)


class _FenceClosings:
    """The lines that can close a fence; asked in order, all answers together cost one pass."""

    def __init__(self, lines: list[str]) -> None:
        self._at: dict[tuple[str, bool], list[int]] = {}
        self._length: dict[tuple[str, bool], list[int]] = {}
        self._longest: dict[tuple[str, bool], list[int]] = {}
        for number, line in enumerate(lines):
            if ("```" in line or "~~~" in line) and (match := re.fullmatch(_CLOSING, line)) is not None:
                for listed in (False, True):  # in a list item it may be indented
                    if listed or len(match["indent"]) <= 3:
                        key = (match["fence"][0], listed)
                        self._at.setdefault(key, []).append(number)
                        self._length.setdefault(key, []).append(len(match["fence"]))
        for key, lengths in self._length.items():
            longest, most = [], 0
            for length in reversed(lengths):
                most = max(most, length)
                longest.append(most)
            self._longest[key] = longest[::-1]

    def find_after(self, line: int, fence: str, listed: bool) -> int | None:
        """The line that closes this fence, opened in `line`; None where there is none."""
        key = (fence[0], listed)
        if key not in self._at:
            return None
        place = bisect_right(self._at[key], line)
        if place == len(self._at[key]) or self._longest[key][place] < len(fence):
            return None
        while self._length[key][place] < len(fence):
            place += 1
        return self._at[key][place]
