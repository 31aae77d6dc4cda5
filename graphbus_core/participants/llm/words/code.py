"""Code as it was meant: the marks that a model copied around it are taken off, where it is not Python with them.

Code that parses is never touched. A mend counts only where the text parses afterwards, so line numbers, a diff's `+`,
curly quotes or an indentation that the first line lacks have one reading. No name and no value changes.
"""

from __future__ import annotations

import ast
import html
import re
import textwrap
from collections.abc import Callable
from typing import Any

_STRING = r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
_ODD = re.compile(_STRING + "|([\u00a0\u202f\u3000])|([\u200b\u200c\u200d\u2060\ufeff])")
_QUOTES = re.compile(_STRING + "|([“”„])|([‘’])")
_NUMBERED = re.compile(r"[ \t]*(\d+)[ \t]*[:|→][ \t]?")
_FENCED = re.compile(r"\s*(`{3,}|~{3,})[^\n]*\n(.*?)\n?[ \t]*\1\s*", re.DOTALL)
DEPTH_MAX = 12


def whole(text: str) -> bool:
    """Whether the text is complete as Python: as a file, or as the body of a method."""
    plain = textwrap.dedent(text)
    for probe in (plain, "async def _():\n" + textwrap.indent(plain, "    ")):
        try:
            ast.parse(probe)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return True
    return False


def as_meant(value: Any, notes: list[str], depth: int = 0) -> Any:
    """`value` with the code of its operations without what stands around it; each mend is noted."""
    if depth > DEPTH_MAX:
        return value
    if isinstance(value, list):
        return [as_meant(one, notes, depth + 1) for one in value]
    if not isinstance(value, dict):
        return value
    made = {key: as_meant(inner, notes, depth + 1) for key, inner in value.items()}
    for key in ("body", "source", "new_code"):
        if isinstance(made.get(key), str):
            made[key] = _plain(made[key], key, notes)
    return made


def _plain(text: str, key: str, notes: list[str]) -> str:
    if not text.strip() or whole(text):
        return text
    for mend, what in _MENDS:
        made = mend(text)
        if made is not None and made != text and whole(made):
            notes.append(f"{key}: {what}")
            return made
    return text


def _unfenced(text: str) -> str | None:
    found = _FENCED.fullmatch(text)
    return found[2] if found else None


def _without_odd_spaces(text: str) -> str:
    return _ODD.sub(lambda m: m[1] or (" " if m[2] else ""), text)


def _straight_quotes(text: str) -> str:
    return _QUOTES.sub(lambda m: m[1] or ('"' if m[2] else "'"), text)


def _margin(text: str) -> str:
    """The first line stands at the margin, as after an opening quote; the others stand where they did in the file."""
    first, _, rest = text.strip("\n").partition("\n")
    return f"{first.strip()}\n{textwrap.dedent(rest)}"


def _unnumbered(text: str) -> str | None:
    lines = text.strip("\n").split("\n")
    found = [_NUMBERED.match(line) for line in lines]
    numbers = [int(m[1]) for m in found if m]
    if len(numbers) != len(lines) or numbers != list(range(numbers[0], numbers[0] + len(lines))):
        return None
    return "\n".join(line[m.end() :] for line, m in zip(lines, found, strict=True) if m)


def _without_marks(*marks: str) -> Callable[[str], str | None]:
    """Takes the same kind of mark off every line, or does nothing."""

    def mend(text: str) -> str | None:
        lines = [line for line in text.split("\n") if line.strip()]
        if not all(line.lstrip().startswith(marks) for line in lines):
            return None
        found = [(line, next(m for m in marks if line.lstrip().startswith(m))) for line in lines]
        return "\n".join(line.lstrip().removeprefix(mark).removeprefix(" " * (mark != "+")) for line, mark in found)

    return mend


def _lines_spelled_out(text: str) -> str | None:
    return text.replace("\\n", "\n").replace("\\t", "\t") if "\n" not in text.strip() else None


_MENDS: tuple[tuple[Callable[[str], str | None], str], ...] = (
    (_unfenced, "the fence around the code was taken off"),
    (_without_odd_spaces, "spaces that only look like spaces were read as spaces"),
    (_straight_quotes, "curly quotes were read as quotes"),
    (_margin, "the lines after the first were moved to the margin"),
    (_unnumbered, "line numbers were taken off"),
    (_without_marks("+"), "a diff's plus signs were taken off"),
    (_without_marks(">>>", "..."), "a console's prompts were taken off"),
    (_lines_spelled_out, "\\n was read as the end of a line"),
    (html.unescape, "HTML's spelling was read as plain text"),
)
