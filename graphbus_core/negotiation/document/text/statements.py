"""A document as its statements: every sentence, list item, table row and piece of code, with its line. Pure.

Nothing that a reader sees belongs to no statement, but for headings and the lines of tables; comments and what is
struck out are not said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_LINES = re.compile(r"^[ \t]*[|:*_=-](?:[ \t]*[|:*_=-])*[ \t]*$")  # rules, and lines of tables
_ITEM = re.compile(r"^(?:[-+*]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")  # how a list item begins
_SENTENCE = re.compile(r"(?<=[.!?。！？])[*_\"”’)]*\s+(?=[^a-z])|(?<=[。！？])")
_COMMENT = r"`+[^`\n]*`+|<!--(?:.*?(?P<end>-->)|.*)"
_MARKUP = re.compile(r"[*_`~]+|^\s*(?:[-+*]|\d+[.)]|#+|>|\|)\s+", re.MULTILINE)
_STRUCK = re.compile(r"(`+[^`\n]*`+)|~~(?=\S).+?(?<=\S)~~")  # struck out, and code, in which nothing is


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of one source, below its heading."""

    source: str
    line: int
    text: str
    heading: str = ""
    nth: int = 1  # of the statements that begin in this line

    @property
    def place(self) -> str:
        """Where it stands, and under which name a decision speaks of it."""
        return f"{self.source}:{self.line}" + (f".{self.nth}" if self.nth > 1 else "")


@lru_cache(maxsize=256)
def split_statements(source: str, text: str) -> tuple[Statement, ...]:
    """All statements of a source, in their order."""
    begun: Counter[int] = Counter()
    statements = []
    for line, words, heading in _split(text):
        begun[line] += 1
        statements.append(Statement(source, line, words, heading, begun[line]))
    return tuple(statements)


def _split(text: str) -> Iterator[tuple[int, str, str]]:
    paragraph: list[str] = []
    code: list[str] = []
    start, fence, heading = 1, "", ""
    lines = [*extract_visible_text(text).split("\n"), ""]
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        if fence:
            code.append(line)
            if bare.startswith(fence):
                yield start, "\n".join(code), heading
                code, fence = [], ""
            continue
        opens = bare.startswith(("```", "~~~"))
        is_heading = re.match(r"#{1,6}(?:\s|$)", bare) is not None
        is_rule = _LINES.fullmatch(line) is not None
        if not bare or bare.startswith("|") or is_heading or opens or is_rule or _ITEM.match(bare):
            yield from ((start, sentence, heading) for sentence in _split_sentences(paragraph))
            paragraph = []
        if is_heading:
            heading = bare.strip("# ")
        elif opens:
            start, fence, code = number, bare[:3], [line]
        elif bare.startswith("|") and not is_rule:
            yield number, " | ".join(cell.strip() for cell in bare.strip("|").split("|")), heading
        elif bare and not is_rule:
            if not paragraph:
                start = number
            paragraph.append(_ITEM.sub("", bare))
    if code:
        yield start, "\n".join(code), heading


def _split_sentences(paragraph: list[str]) -> Iterator[str]:
    yield from (sentence.strip() for sentence in _SENTENCE.split(" ".join(paragraph)) if sentence.strip())


def extract_visible_text(text: str) -> str:
    """A text without its HTML comments and what is struck out: what a reader takes as said. Lines keep their numbers;
    code fences keep all."""
    if "<!--" not in text and "~~" not in text:
        return text
    visible_lines: list[str] = []
    fence = ""
    hidden = False
    for line in text.split("\n"):
        if hidden:
            _, end, line = line.partition("-->")
            hidden = not end
        if not hidden:
            bare = line.strip()
            if not fence and bare.startswith(("```", "~~~")):
                fence = bare[:3]
            elif fence:
                fence = "" if bare.startswith(fence) else fence
            else:
                line, hidden = _strip_comments(line)
                line = _STRUCK.sub(lambda match: match[1] or "", line)
        visible_lines.append("" if hidden and not line else line)
    return "\n".join(visible_lines)


def normalize_text(text: str) -> str:
    """Text without markup, in one line, in small letters."""
    if _LINES.fullmatch(text):
        return ""
    return " ".join(_MARKUP.sub(" ", text.replace("|", " ")).casefold().split())


def _strip_comments(line: str) -> tuple[str, bool]:
    """A line without its comments, and whether the last goes on. In `code` there are none."""
    parts: list[str] = []
    place = 0
    for match in re.finditer(_COMMENT, line):
        if match.group().startswith("<"):
            parts.append(line[place : match.start()])
            place = match.end()
            if not match["end"]:
                return "".join(parts), True
    parts.append(line[place:])
    return "".join(parts), False
