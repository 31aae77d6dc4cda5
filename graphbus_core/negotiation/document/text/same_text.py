"""Whether a text is another text itself, byte for byte but for white space and emphasis (design §9). Pure.

No meaning is compared. Both are read as Markdown: what stays when its white space and emphasis are evened out has to be
the same. Code, the nesting of lists, comments and what is struck out count.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_EMPHASIS = ("em_open", "em_close", "strong_open", "strong_close")
_ACCEPTS = re.compile(r"[*_`]*ACCEPTS[*_`]*[ \t]+[*_`]*([0-9a-f]{8})[*_`]*[ \t]*")
MAX_DIFFERENCES = 12  # lines that are shown
MAX_COMPARED = 50_000  # characters: the time of a comparison by lines grows with their product


def is_same_text(first: str, second: str) -> bool:
    """Whether the two are one text."""
    return first == second or even_out(first) == even_out(second)


def even_out(text: str) -> list[str]:
    """What of a text counts, part by part."""
    links: dict[str, object] = {}
    parts: list[str] = []
    for token in _create_parser().parse(text, links):
        inline = "".join(_show(child) for child in token.children or ())
        parts.append(re.sub(r"[ \t\n]+", " ", inline).strip(" ") if token.type == "inline" else _show(token))
    return [*parts, repr(links)]


def _show(token: Token) -> str:
    """A token as it counts. Its parts are told from text by a character that the parser takes out of every text."""
    if token.type in _EMPHASIS:
        return ""
    if token.type in ("text", "softbreak", "hardbreak"):
        return token.content if token.type == "text" else " "
    shown = "\0".join(("", token.type, token.markup, token.info, repr(token.attrs), token.content, ""))
    return shown.replace("\t", "\0t").replace("\n", "\0n").replace(" ", "\0s")  # white space in code counts


def find_accepted_hash(text: str) -> str:
    """The hash that a line `ACCEPTS <hash>` names, the last one that is not code or a quotation; "" where none does."""
    if "ACCEPTS" not in text:
        return ""
    said = (token.content for token in _create_parser().parse(text) if token.type == "inline" and token.level == 1)
    matches = [match[1] for lines in said for line in lines.split("\n") if (match := _ACCEPTS.fullmatch(line))]
    return matches[-1] if matches else ""


def list_differences(first: str, second: str) -> Iterator[str]:
    """The lines in which two texts differ: `-` of the first, `+` of the second."""
    if max(len(first), len(second)) > MAX_COMPARED:
        yield f"(texts of {len(first):,} and {len(second):,} characters: too long to compare line by line)"
        return
    compared = difflib.unified_diff(first.strip().split("\n"), second.strip().split("\n"), n=0, lineterm="")
    lines = [line for line in [*compared][2:] if not line.startswith("@@")]
    yield from lines[:MAX_DIFFERENCES]
    if len(lines) > MAX_DIFFERENCES:
        yield f"and {len(lines) - MAX_DIFFERENCES} more lines"


@cache
def _create_parser() -> MarkdownIt:
    """Loaded where it is first asked: most commands of agents compare nothing."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])
