"""What a test file in JavaScript or TypeScript says in literals: enough to read which pairs it expects what of.

Nothing is run. Objects, lists, texts, numbers, spreads, constants of the file by their scope, and calls, of which the
arguments are read. What is more than that raises Unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"
    r"|(?P<number>\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)"
    r"|(?P<name>[A-Za-z_$][\w$]*)"
    r"|(?P<sign>\.\.\.|=>|[-+*/%<>=!&|^~?:;,.(){}\[\]@#\\])",
    re.S,
)
_REGEX = re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.S)
_WORDS = {"true": True, "false": False, "null": None}
_BEFORE_REGEX = frozenset("(,=:[!&|?{};")


class Unreadable(Exception):
    """More than literals."""


@dataclass(frozen=True)
class Call:
    """`name(arguments)`, or what was read of its result: `name(arguments).member`."""

    name: str
    arguments: list[Any]
    member: str = ""


@dataclass(frozen=True)
class Token:
    kind: str
    text: str


def holds_call(value: Any) -> bool:
    """Whether anything in a value was left as a call."""
    if isinstance(value, list | dict):
        return any(map(holds_call, value.values() if isinstance(value, dict) else value))
    return isinstance(value, Call)


def split_tokens(source: str) -> list[Token]:
    tokens: list[Token] = []
    at = 0
    while at < len(source):
        is_regex = source[at] == "/" and source[at + 1 : at + 2] not in "/*" and _may_begin_regex(tokens)
        found = (
            re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*").match(source, at) if is_regex else None
        )
        if found:
            tokens.append(Token("regex", found[0]))
        else:
            found = _TOKEN.match(source, at)
            if found is None:
                at += 1
                continue
            if found.lastgroup != "space":
                tokens.append(Token(str(found.lastgroup), found[0]))
        at = found.end()
    return tokens


def _may_begin_regex(tokens: list[Token]) -> bool:
    return not tokens or tokens[-1].text in _BEFORE_REGEX or tokens[-1].text == "return"


class Script:
    """One file. Positions are indexes of its tokens."""

    def __init__(self, source: str) -> None:
        self.tokens = split_tokens(source)
        self._ends: dict[int, int] = {}  # of each brace that opens: the one that closes it
        self._constants: dict[str, list[tuple[int, int, int]]] = {}  # name -> (declared at, scope ends at, its value)
        open_braces: list[int] = []
        declared: list[tuple[str, int, int, int]] = []
        for at, token in enumerate(self.tokens):
            if token.kind == "sign" and token.text in "({[":
                open_braces.append(at)
            elif token.kind == "sign" and token.text in ")}]" and open_braces:
                self._ends[open_braces.pop()] = at
            elif token.text in ("const", "let", "var") and self._kind(at + 1) == "name":
                value = self._find_value(at + 2)
                if value:
                    block = next((b for b in reversed(open_braces) if self.tokens[b].text == "{"), -1)
                    declared.append((self.tokens[at + 1].text, at, block, value))
        for name, at, block, value in declared:
            end = self._ends.get(block, len(self.tokens))
            self._constants.setdefault(name, []).append((at, end, value))

    def _kind(self, at: int) -> str:
        return self.tokens[at].kind if at < len(self.tokens) else ""

    def _text(self, at: int) -> str:
        return self.tokens[at].text if at < len(self.tokens) and self.tokens[at].kind != "text" else ""

    def _find_value(self, at: int) -> int:
        """Where the value of a declaration begins, behind its type; 0 where it has none."""
        depth = 0
        for here in range(at, min(at + 60, len(self.tokens))):
            text = self._text(here)
            depth += (text in ("<", "{", "[", "(")) - (text in (">", "}", "]", ")"))
            if text == "=" and depth == 0:
                return here + 1
            if text == ";" or depth < 0:
                return 0
        return 0

    def find_calls(self, name: str) -> Iterator[int]:
        """Where `name(` stands; the position is that of the name."""
        for at, token in enumerate(self.tokens):
            if token.kind == "name" and token.text == name and self._text(at + 1) == "(":
                yield at

    def read(self, at: int, depth: int = 0) -> tuple[Any, int]:
        """The value that begins at a position, and where it ends. Raises Unreadable."""
        if depth > 200:
            raise Unreadable("too deep")
        value, at = self._read_first(at, depth)
        while True:
            text = self._text(at)
            if text == "as" or (text == "satisfies"):
                at = self._skip_type(at + 1)
            elif text == "!":
                at += 1
            elif text == "." and isinstance(value, Call) and self._text(at + 2) != "(" and not value.member:
                value, at = Call(value.name, value.arguments, self._text(at + 1)), at + 2
            elif text == "." and isinstance(value, dict) and self._text(at + 1) in value:
                value, at = value[self._text(at + 1)], at + 2
            elif text in (",", ")", "]", "}", ";", ":", "") or self._is_line_end(at):
                return value, at
            else:
                raise Unreadable(text)

    def _is_line_end(self, at: int) -> bool:
        # Without semicolons the next statement simply begins.
        return self.tokens[at].kind == "name" and self._text(at) not in ("as", "satisfies", "in", "instanceof")

    def _skip_type(self, at: int) -> int:
        while self._kind(at) == "name" or self._text(at) in ("<", ">", ".", "|", "["):
            at = self._ends[at] + 1 if self._text(at) == "[" else at + 1
        return at

    def _read_first(self, at: int, depth: int) -> tuple[Any, int]:
        token = self.tokens[at]
        if token.kind == "text":
            return _read_text(token.text), at + 1
        if token.kind == "number":
            return _read_number(token.text), at + 1
        if token.text == "-" and self._kind(at + 1) == "number":
            return -_read_number(self.tokens[at + 1].text), at + 2
        if token.text == "{":
            return self._read_object(at, depth), self._ends[at] + 1
        if token.text == "[":
            return self._read_list(at, depth), self._ends[at] + 1
        if token.text == "(" and self._text(self._ends[at] + 1) != "=>":
            return self.read(at + 1, depth + 1)[0], self._ends[at] + 1
        if token.kind == "name":
            return self._read_name(at, depth)
        raise Unreadable(token.text)

    def _read_name(self, at: int, depth: int) -> tuple[Any, int]:
        name = self.tokens[at].text
        if name in _WORDS:
            return _WORDS[name], at + 1
        if name == "await":
            return self._read_first(at + 1, depth)
        last = at
        while self._text(last + 1) == "." and self._text(last + 3) in (".", "("):
            last += 2
        if self._text(last + 1) == "(":
            return Call(self.tokens[last].text, self._read_list(last + 1, depth)), self._ends[last + 1] + 1
        return self._look_up(name, at, depth), at + 1

    def _look_up(self, name: str, at: int, depth: int) -> Any:
        """The constant of that name in the innermost scope."""
        places = [(begin, value) for begin, end, value in self._constants.get(name, ()) if begin < at < end]
        if not places:
            raise Unreadable(name)
        return self.read(max(places)[1], depth + 1)[0]

    def _read_list(self, at: int, depth: int) -> list[Any]:
        values: list[Any] = []
        end, at = self._ends[at], at + 1
        while at < end:
            if self._text(at) == "...":
                more, at = self.read(at + 1, depth + 1)
                if not isinstance(more, list):
                    raise Unreadable("...")
                values += more
            else:
                value, at = self.read(at, depth + 1)
                values.append(value)
            if self._text(at) != "," and at < end:
                raise Unreadable(self.tokens[at].text)
            at += 1
        return values

    def _read_object(self, at: int, depth: int) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        end, at = self._ends[at], at + 1
        while at < end:
            if self._text(at) == "...":
                more, at = self.read(at + 1, depth + 1)
                if not isinstance(more, dict):
                    raise Unreadable("...")
                fields |= more
            elif self.tokens[at].kind == "name" and self._text(at + 1) in (",", "}"):
                fields[self.tokens[at].text] = self._look_up(self.tokens[at].text, at, depth)
                at += 1
            else:
                name = self.tokens[at]
                if name.kind not in ("name", "text", "number") or self._text(at + 1) != ":":
                    raise Unreadable(name.text)
                value, at = self.read(at + 2, depth + 1)
                fields[_read_text(name.text) if name.kind == "text" else name.text] = value
            if self._text(at) != "," and at < end:
                raise Unreadable(self.tokens[at].text)
            at += 1
        return fields

    def end_of(self, at: int) -> int:
        """Where the bracket that opens at a position closes."""
        return self._ends[at]


def _read_text(literal: str) -> str:
    if literal[0] == "`" and "${" in literal:
        raise Unreadable("a text with parts to be filled in")

    def replace(found: re.Match[str]) -> str:
        code = found[1] or found[2] or found[3]
        return chr(int(code, 16)) if code else _ESCAPES.get(found[4], "" if found[4] == "\n" else found[4])

    return _ESCAPE.sub(replace, literal[1:-1])


def _read_number(text: str) -> int | float:
    text = text.replace("_", "")
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value
