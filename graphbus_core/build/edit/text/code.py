"""Code that came as plain text: checked, dedented, and indented as the file does."""

from __future__ import annotations

import ast
import tokenize
from io import StringIO

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.source import parsed

# Longer than any method that people read. A model that loops must not fill the file.
MAX_CODE = 200_000  # characters of one body or method


def code(text: str, what: str) -> str:
    """The text without the indentation that its lines share, with plain line ends. Refusal: empty, huge."""
    if len(text) > MAX_CODE:
        raise Refusal(f"{what} has {len(text):,} characters; at most {MAX_CODE:,}.")
    # One form of line ends inside; the file's own is put back when it is written.
    plain = _dedented(text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip())
    if not plain.strip():
        raise Refusal(f"{what} is empty.")
    return plain


def in_strings(text: str) -> set[int]:
    """The lines (from 0) that begin inside a string: their white space is the string's own."""
    found: set[int] = set()
    opened = []
    try:
        for token in tokenize.generate_tokens(StringIO(text).readline):
            name = tokenize.tok_name[token.type]
            if name == "STRING":
                found.update(range(token.start[0], token.end[0]))
            elif name in ("FSTRING_START", "TSTRING_START"):
                opened.append(token.start[0])
            elif name in ("FSTRING_END", "TSTRING_END"):
                found.update(range(opened.pop(), token.end[0]))
    except (tokenize.TokenError, SyntaxError, IndexError):
        # Code that does not tokenize is refused later with its line. Here it only has no strings.
        pass
    return found


def _dedented(text: str) -> str:
    """Code without the indentation that all of its lines share; text inside of strings stays."""
    first = text.lstrip("\n")
    # Indented code is not a program by itself; under an `if` it is one, and tokens can be told.
    probe = f"if 1:\n{text}" if first[:1] in " \t" else text
    strings = {n - 1 for n in in_strings(probe)} if probe is not text else in_strings(text)
    lines = text.split("\n")
    # Comments may hang to the left of their block and say nothing about its margin.
    counted = [t for i, t in enumerate(lines) if i not in strings and t.strip() and not t.lstrip().startswith("#")]
    margins = [t[: len(t) - len(t.lstrip(" \t"))] for t in counted]
    margin = min(margins, key=len, default="")
    return "\n".join(t if i in strings else (t.removeprefix(margin) if t.strip() else "") for i, t in enumerate(lines))


def indented(text: str, indent: bytes, newline: bytes) -> bytes:
    """Code at an indentation, with the file's line ends; tabs where the file has tabs."""
    strings = in_strings(text)
    tabs = b"\t" in indent
    out = []
    for i, line in enumerate(text.split("\n")):
        if i in strings or not line.strip():
            # A line inside a string is data, so its white space is not ours to change.
            out.append(line.encode() if i in strings else b"")
            continue
        bare = line.lstrip(" ")
        lead = len(line) - len(bare)
        inner = b"\t" * (lead // 4) + b" " * (lead % 4) if tabs and lead % 4 == 0 else b" " * lead
        out.append(indent + inner + bare.encode())
    return newline.join(out)


def parsed_code(text: str, what: str) -> ast.Module:
    try:
        return parsed(text)
    except SyntaxError as e:
        raise Refusal(f"{what} does not parse: line {e.lineno}: {e.msg}.") from None
    except (ValueError, RecursionError, MemoryError) as e:
        raise Refusal(f"{what} does not parse: {e}.") from None
