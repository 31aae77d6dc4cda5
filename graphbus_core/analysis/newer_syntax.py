"""Source of newer Pythons as a syntax tree of this one: what has no older form is written as the nearest that has.

A file is tried as it is first. Lines stay where they are; so do columns, but behind an `except A, B:`, which gets
parentheses. The tree is for reading. Nobody may write it back.

    def f[T](x: T): …       the type parameters are left out             (3.12)
    type Rows = list[int]   an assignment                                (3.12)
    f"{row["a"]}"           where this Python cannot read it: a text     (3.12)
    t"{name}"               `...`: nobody can tell what becomes of it    (3.14)
    except A, B:            `except (A, B):`                             (3.14)
    lazy import json        `import json`                                (3.15)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphbus_core.analysis.scan.modules import convert_to_utf8

_TOKEN = re.compile(
    r"(?P<comment>#[^\n]*)|(?P<joined>\\\r?\n)|(?P<newline>\n)"
    r"|(?P<string>(?P<prefix>[A-Za-z]{0,2})(?P<quote>\"\"\"|'''|\"|'))|(?P<word>\w+)|(?P<other>[^\s])"
)
_OPENING, _CLOSING = "([{", ")]}"
MAX_DEPTH = 50  # strings in strings


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int
    depth: int  # of brackets around it


def parse_source(content: bytes, path: str = "<source>") -> ast.Module:
    """Parse a file as this Python does; where that fails, as a newer one would. Raises what `ast.parse` raises."""
    try:
        return ast.parse(content, path)
    except SyntaxError as refusal:
        try:
            return ast.parse(_rewrite(convert_to_utf8(content).decode()), path)
        except (SyntaxError, ValueError, LookupError):
            raise refusal from None


def _rewrite(source: str) -> str:
    tokens = list(_tokenize(source))
    changes: list[tuple[int, int, str]] = []
    line: list[_Token] = []
    for token in [*tokens, _Token("newline", "\n", len(source), len(source), 0)]:
        if token.kind == "newline" and token.depth == 0:
            changes += _rewrite_line(source, line)
            line = []
        elif token.kind not in ("newline", "comment"):
            line.append(token)
            if token.text == ":" and token.depth == 0 and line[0].text in ("try", "else", "finally"):
                line = []  # `try: import x` stands in one line
    changes += [change for token in tokens if (change := _rewrite_string(token)) is not None]
    for start, end, text in sorted(changes, reverse=True):
        source = source[:start] + text + source[end:]
    return source


def _rewrite_line(source: str, line: list[_Token]) -> Iterator[tuple[int, int, str]]:
    """The changes of one logical line."""
    words = [token.text for token in line[:4]]
    head = 1 if words[:1] == ["async"] else 0
    match words[head:]:
        case ["def" | "class", _, "[", *_]:
            yield _blank(source, line, head + 2)
        case ["type", name, "[" | "=" as sign, *_] if name.isidentifier():
            first, second = line[0], line[1]
            # Indentation is where a line begins: the name goes to the front, and the word's place behind it.
            yield first.start, second.end, name + " " * (second.end - first.start - len(name))
            if sign == "[":
                yield _blank(source, line, 2)
        case ["lazy", "import" | "from", *_]:
            first, rest = line[0], source[line[1].start : line[-1].end]
            yield first.start, line[-1].end, rest + " " * (line[-1].end - first.start - len(rest))
        case ["except", *_]:
            colon = next((n for n, token in enumerate(line) if token.text == ":" and token.depth == 0), 0)
            first_kind = 2 if words[1:2] == ["*"] else 1
            if any(token.text == "," and token.depth == 0 for token in line[:colon]):
                yield line[first_kind].start, line[first_kind].start, "("
                yield line[colon - 1].end, line[colon - 1].end, ")"


def _blank(source: str, line: list[_Token], number: int) -> tuple[int, int, str]:
    """The bracket that opens at a token, as blanks; a line that ends in it is joined with the next."""
    opened = line[number]
    closed = next((t for t in line[number + 1 :] if t.text == "]" and t.depth == opened.depth), opened)
    blank = re.sub(r"[^\n]", " ", source[opened.start : closed.end])
    return opened.start, closed.end, re.sub(r" (?=\n)", r"\\", blank)


def _rewrite_string(token: _Token) -> tuple[int, int, str] | None:
    """A template, or a formatted text that this Python cannot read; None for all others."""
    if token.kind not in ("t", "f"):
        return None
    quote = token.text.lstrip("rRfFtT")
    quote = quote[:3] if quote[:3] in (3 * '"', 3 * "'") else quote[:1]
    if len(token.text) < 2 * len(quote) + 1 or not token.text.endswith(quote):
        return None  # it never ends
    if token.kind == "t":
        return token.start, token.end, _fill("...", token.text)
    try:
        ast.parse(token.text, mode="eval")
    except (SyntaxError, ValueError):
        return token.start, token.end, _fill('""', token.text)
    return None


def _fill(value: str, text: str) -> str:
    """A value in the place of a longer text, with as many lines."""
    if "\n" not in text:
        return value.ljust(len(text))
    blank = re.sub(r"[^\n]", " ", text)
    return f"({value}" + blank[len(value) + 1 : -1] + ")" if len(text.partition("\n")[0]) > len(value) else blank


def _tokenize(source: str) -> Iterator[_Token]:
    position, depth = 0, 0
    while (match := _TOKEN.search(source, position)) is not None:
        kind, text, start = match.lastgroup or "", match[0], match.start()
        if match["string"] is not None:
            prefix = match["prefix"].lower()
            formatted = bool(set(prefix) & {"f", "t"})
            end = _find_string_end(source, match.end(), match["quote"], formatted, "r" in prefix, 0)
            kind = "t" if "t" in prefix else "f" if formatted else "string"
            yield _Token(kind, source[start:end], start, end, depth)
            position = end
            continue
        if text in _CLOSING:
            depth = max(depth - 1, 0)
        if kind != "joined":
            yield _Token("newline" if text == "\n" else kind, text, start, match.end(), depth)
        depth += text in _OPENING
        position = match.end()


def _find_string_end(source: str, position: int, quote: str, formatted: bool, raw: bool, level: int) -> int:
    """Where a string ends that has begun; a formatted one holds code, and that holds strings of its own."""
    while position < len(source):
        if source.startswith(quote, position):
            return position + len(quote)
        sign = source[position]
        if sign == "\\" or (formatted and sign == "{" and source[position + 1 : position + 2] == "{"):
            position += 2
        elif formatted and sign == "{" and level < MAX_DEPTH:
            position = _find_field_end(source, position + 1, level)
        elif sign == "\n" and len(quote) == 1:
            return position  # it never ends, which is a fault
        else:
            position += 1
    return len(source)


def _find_field_end(source: str, position: int, level: int) -> int:
    """Where a `{…}` of a formatted string ends."""
    depth = 0
    while position < len(source):
        match = _TOKEN.match(source, position)
        if match is not None and match["string"] is not None:
            prefix = match["prefix"].lower()
            formatted = bool(set(prefix) & {"f", "t"})
            position = _find_string_end(source, match.end(), match["quote"], formatted, "r" in prefix, level + 1)
            continue
        sign = source[position]
        if sign == "}" and depth == 0:
            return position + 1
        depth += (sign in _OPENING) - (sign in _CLOSING)
        position = match.end() if match is not None and match["comment"] is not None else position + 1
    return len(source)
