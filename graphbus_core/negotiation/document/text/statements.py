"""A document as its statements: every sentence, list item, table row and piece of code, with its line. Pure.

Nothing that a reader sees belongs to no statement, but for headings and the lines of tables; comments and what is
struck out are not said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

_LINES = re.compile(r"^[ \t]*[|:*_=-](?:[ \t]*[|:*_=-])*[ \t]*$")  # rules, and lines of tables
ITEM = re.compile(r"^(?:[-+*]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")  # how a list item begins
_SENTENCE = re.compile(r"(?<=[.!?。！？])[*_\"”’)]*\s+(?=[^a-z])|(?<=[。！？])")
_COMMENT = r"`+[^`\n]*`+|<!--(?:.*?(?P<end>-->)|.*)"
_MARKUP = re.compile(r"[*_`~]+|^\s*(?:[-+*]|\d+[.)]|#+|>|\|)\s+", re.MULTILINE)
_QUOTED = re.compile(r"^(?:[ \t]*>[ ]?)+")  # how a line of a quotation begins, in whatever depth
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


class BlockKind(StrEnum):
    """What stands between two headings."""

    HEADING = "heading"
    TEXT = "text"
    ITEM = "item"
    ROW = "row"
    QUOTE = "quote"
    CODE = "code"
    RULE = "rule"


@dataclass(slots=True)
class Block:
    """Lines of a source that belong together, as they stand there, with the sentences that they say."""

    kind: BlockKind
    line: int
    lines: list[str]
    sentences: list[str] = field(default_factory=list)
    heading: str = ""  # below which it stands; of a heading its own words
    level: int = 0  # of a heading


@lru_cache(maxsize=256)
def split_statements(source: str, text: str) -> tuple[Statement, ...]:
    """All statements of a source, in their order."""
    begun: Counter[int] = Counter()
    statements = []
    for block in split_blocks(text):
        for words in block.sentences:
            begun[block.line] += 1
            statements.append(Statement(source, block.line, words, block.heading, begun[block.line]))
    return tuple(statements)


def split_blocks(text: str) -> Iterator[Block]:
    """A text as its headings, paragraphs, list items, rows of tables, pieces of code and rules, in their order."""
    open_block: Block | None = None  # a paragraph, an item or a piece of code that may go on
    fence, heading = "", ""
    for number, line in enumerate([*extract_visible_text(text).split("\n"), ""], 1):
        bare = line.strip()
        if fence and open_block is not None:
            open_block.lines.append(line)
            if bare.startswith(fence):
                yield _close_block(open_block)
                open_block, fence = None, ""
            continue
        kind = _read_kind(line, bare)
        if open_block is not None:
            # A quotation begins a block of its own, and goes on in what is written below it without a mark.
            if bare and (kind is BlockKind.TEXT or kind is open_block.kind is BlockKind.QUOTE):
                open_block.lines.append(line)
                continue
            yield _close_block(open_block)
            open_block = None
        if kind is BlockKind.HEADING:
            heading = bare.strip("# ")
            yield Block(kind, number, [line], heading=heading, level=len(bare) - len(bare.lstrip("#")))
        elif kind is BlockKind.ROW:
            yield Block(kind, number, [line], [" | ".join(c.strip() for c in bare.strip("|").split("|"))], heading)
        elif kind is BlockKind.RULE:
            yield Block(kind, number, [line], heading=heading)
        elif bare:
            open_block = Block(kind, number, [line], heading=heading)
            fence = bare[:3] if kind is BlockKind.CODE else ""
    if open_block is not None:
        yield _close_block(open_block)


def find_title(blocks: Sequence[Block]) -> Block | None:
    """The title of a text: its one heading of the first level, where nothing stands before it."""
    first = [block for block in blocks if block.kind is BlockKind.HEADING and block.level == 1]
    return first[0] if len(first) == 1 and blocks[0] is first[0] else None


def _read_kind(line: str, bare: str) -> BlockKind:
    """What a line begins; a paragraph or an item goes on in lines of TEXT."""
    if bare.startswith(("```", "~~~")):
        return BlockKind.CODE
    if re.match(r"#{1,6}(?:\s|$)", bare):
        return BlockKind.HEADING
    if bare and _LINES.fullmatch(line):
        return BlockKind.RULE
    if bare.startswith("|"):
        return BlockKind.ROW
    if bare.startswith(">"):
        return BlockKind.QUOTE
    return BlockKind.ITEM if ITEM.match(bare) else BlockKind.TEXT


def _close_block(block: Block) -> Block:
    if block.kind is BlockKind.CODE:
        fence = re.match(r"\s*...", block.lines[0])
        if fence and (len(block.lines) == 1 or not block.lines[-1].strip().startswith(fence.group().strip())):
            # The end of a text ends its code: what is written below a copy would be code as well.
            block.lines = [*"\n".join(block.lines).rstrip().split("\n"), fence.group()]
        block.sentences = ["\n".join(block.lines)]
    elif block.kind is BlockKind.QUOTE:
        quoted = "\n".join(_QUOTED.sub("", line) for line in block.lines)
        block.sentences = [words for inner in split_blocks(quoted) for words in inner.sentences]
    else:
        block.sentences = list(_split_sentences([ITEM.sub("", line.strip()) for line in block.lines]))
    return block


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
