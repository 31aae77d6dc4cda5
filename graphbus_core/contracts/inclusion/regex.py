"""Regular expressions of ECMA-262, as JSON Schema uses them, parsed into a small tree.

Nodes are tuples: ("set", ranges) one character; ("cat", [..]); ("alt", [..]); ("rep", node, low, high or None);
("look", node, negated); ("start",). The end `$` is a negated look at any character. What is not regular
(backreferences) or not read here (lookbehind, word boundaries, flags) raises Inconclusive; what no dialect of regular
expressions reads (a group that never closes) raises Malformed, which is one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from graphbus_core.contracts.verdict import Inconclusive

Ranges = tuple[tuple[int, int], ...]
Node = tuple[Any, ...]

TOP = 0x10FFFF
ALL: Ranges = ((0, 0xD7FF), (0xE000, TOP))  # surrogates are not characters
MAX_LENGTH = 5_000
MAX_REPEAT = 5_000
MAX_DIGITS = 9  # of a count: more are a very large one, and Python refuses to read thousands
MAX_NESTING = 60
_DIGITS, _HEX = re.compile("[0-9]+"), re.compile("[0-9A-Fa-f]+")

EMPTY: Node = ("cat", [])


class Malformed(Inconclusive):
    """A pattern that no dialect reads: somebody's mistake, not our limit."""


def merge(ranges: list[tuple[int, int]]) -> Ranges:
    """Sorted, disjoint ranges."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def intersect(a: Ranges, b: Ranges) -> Ranges:
    """The characters of both."""
    overlaps = [(max(p, r), min(q, s)) for p, q in a for r, s in b if max(p, r) <= min(q, s)]
    return merge(overlaps)


def invert(a: Ranges) -> Ranges:
    """The characters that are not in `a`."""
    gaps, position = [], 0
    for low, high in a:
        if position < low:
            gaps.append((position, low - 1))
        position = high + 1
    if position <= TOP:
        gaps.append((position, TOP))
    return intersect(merge(gaps), ALL)


def _make_ranges(text: str) -> Ranges:
    return merge([(ord(c), ord(c)) for c in text])


DIGIT: Ranges = ((48, 57),)
WORD: Ranges = merge([(48, 57), (65, 90), (97, 122), (95, 95)])
SPACE: Ranges = merge([*_make_ranges("\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"), (0x2000, 0x200A)])
DOT = invert(_make_ranges("\n\r\u2028\u2029"))
_CLASSES = {
    "d": DIGIT,
    "w": WORD,
    "s": SPACE,
    "D": invert(DIGIT),
    "W": invert(WORD),
    "S": invert(SPACE),
}
_CONTROLS = {"n": 10, "t": 9, "r": 13, "f": 12, "v": 11, "0": 0}
END: Node = ("look", ("set", ALL), True)


def parse_pattern(pattern: str) -> Node:
    """The tree of a pattern. Raises Inconclusive where it cannot be read here."""
    if len(pattern) > MAX_LENGTH:
        raise Inconclusive("pattern", f"a pattern of {len(pattern)} characters is too long to be read")
    parser = _Parser(pattern)
    tree = parser.parse_alternatives(0)
    if parser.at < len(pattern):
        raise parser.report_malformed("an unbalanced )")
    return tree


class _Parser:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def report_unsupported(self, what: str) -> Inconclusive:
        return Inconclusive("pattern", f"the pattern {self.text[:80]!r} has {what}, which is not read here")

    def report_malformed(self, what: str) -> Malformed:
        return Malformed("pattern", f"the pattern {self.text[:80]!r} has {what}")

    def peek(self, text: str) -> bool:
        return self.text.startswith(text, self.at)

    def take(self, text: str) -> bool:
        if self.text.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def parse_alternatives(self, depth: int) -> Node:
        if depth > MAX_NESTING:
            raise self.report_unsupported("groups nested too deeply")
        options = [self.parse_sequence(depth)]
        while self.take("|"):
            options.append(self.parse_sequence(depth))
        return options[0] if len(options) == 1 else ("alt", options)

    def parse_sequence(self, depth: int) -> Node:
        parts: list[Node] = []
        while self.at < len(self.text) and not self.peek("|") and not self.peek(")"):
            parts.append(self.parse_quantifiers(self.parse_atom(depth)))
        return parts[0] if len(parts) == 1 else ("cat", parts)

    def parse_quantifiers(self, node: Node) -> Node:
        while self.at < len(self.text):
            mark, bounds = self.text[self.at], None
            if mark in "*+?":
                self.at += 1
                bounds = {"*": (0, None), "+": (1, None), "?": (0, 1)}[mark]
            elif mark == "{":
                bounds = self.parse_counts()
            if bounds is None:
                return node
            self.take("?")  # lazy: the same language
            if self.peek("+") and mark in "*+?}":
                raise self.report_unsupported("a possessive quantifier")
            low, high = bounds
            if high is not None and high < low:
                raise self.report_malformed("a range out of order")
            if max(low, high or 0) > MAX_REPEAT:
                raise self.report_unsupported("a very large repetition")
            node = ("rep", node, low, high)
        return node

    def parse_counts(self) -> tuple[int, int | None] | None:
        end = self.text.find("}", self.at)
        low, comma, high = self.text[self.at + 1 : end].partition(",") if end > 0 else ("", "", "")
        if not _DIGITS.fullmatch(low) or (high and not _DIGITS.fullmatch(high)):
            return None  # a literal brace
        if max(len(low), len(high)) > MAX_DIGITS:
            raise self.report_unsupported("a very large repetition")
        self.at = end + 1
        return int(low), (int(high) if high else None) if comma else int(low)

    def parse_atom(self, depth: int) -> Node:
        c = self.text[self.at]
        self.at += 1
        if c == "(":
            return self.parse_group(depth)
        if c == "[":
            return ("set", self.parse_class())
        if c == ".":
            return ("set", DOT)
        if c == "^":
            return ("start",)
        if c == "$":
            return END
        if c == "\\":
            return ("set", self.parse_escape(in_class=False))
        if c in "*+?":
            raise self.report_malformed("nothing to repeat")
        return ("set", ((ord(c), ord(c)),))

    def parse_group(self, depth: int) -> Node:
        look: bool | None = None
        if self.take("?"):
            if self.take("="):
                look = False
            elif self.take("!"):
                look = True
            elif self.peek("<=") or self.peek("<!"):
                raise self.report_unsupported("a lookbehind")
            elif self.take("<") or self.take("P<"):
                end = self.text.find(">", self.at)
                if end < 0:
                    raise self.report_malformed("an unfinished group name")
                self.at = end + 1
            elif not self.take(":"):
                raise self.report_unsupported("flags or a special group")
        inner = self.parse_alternatives(depth + 1)
        if not self.take(")"):
            raise self.report_malformed("an unfinished group")
        return inner if look is None else ("look", inner, look)

    def parse_class(self) -> Ranges:
        negated = self.take("^")
        ranges: list[tuple[int, int]] = []
        if self.peek("]"):  # `[]` takes nothing in ECMA; Python reads it otherwise: say nothing
            raise self.report_unsupported("an empty class")
        while not self.take("]"):
            low = self.parse_class_member()
            if self.peek("-") and not self.peek("-]") and len(low) == 1 and low[0][0] == low[0][1]:
                self.at += 1
                high = self.parse_class_member()
                if len(high) != 1 or high[0][0] != high[0][1]:
                    raise self.report_unsupported(
                        "a range that ends in a class"
                    )  # three members in ECMA, an error in Python
                if high[0][0] < low[0][0]:
                    raise self.report_malformed("a range out of order")
                ranges.append((low[0][0], high[0][0]))
            else:
                ranges.extend(low)
        members = intersect(merge(ranges), ALL)
        return invert(members) if negated else members

    def parse_class_member(self) -> Ranges:
        if self.at >= len(self.text):
            raise self.report_malformed("an unfinished [")
        c = self.text[self.at]
        self.at += 1
        return self.parse_escape(in_class=True) if c == "\\" else ((ord(c), ord(c)),)

    def parse_escape(self, *, in_class: bool) -> Ranges:
        if self.at >= len(self.text):
            raise self.report_malformed("a backslash at its end")
        c = self.text[self.at]
        self.at += 1
        if c in _CLASSES:
            return _CLASSES[c]
        if c == "b" and in_class:
            return ((8, 8),)
        if c in "123456789" or c in "kbBAZzG":
            raise self.report_unsupported(f"the escape \\{c}")
        if c in _CONTROLS:
            return ((_CONTROLS[c], _CONTROLS[c]),)
        if c == "x" or c == "u":
            return self.parse_code(2 if c == "x" else 4)
        if c == "c" and self.text[self.at : self.at + 1].isalpha() and self.text[self.at].isascii():
            self.at += 1
            code = ord(self.text[self.at - 1]) % 32
            return ((code, code),)
        if c in "pP":
            return self.parse_category(c == "P")
        return ((ord(c), ord(c)),)

    def parse_code(self, digits: int) -> Ranges:
        if digits == 4 and self.take("{"):
            text, brace, _ = self.text[self.at :].partition("}")
            self.at += len(text) + 1
            text = text if brace else ""
        else:
            text = self.text[self.at : self.at + digits]
            self.at += digits
        if not _HEX.fullmatch(text):  # `int` would take `1_0` and `+1` as well
            raise self.report_unsupported("a broken escape")
        code = int(text, 16)
        if 0xD800 <= code <= 0xDBFF and self.text[self.at : self.at + 2] == "\\u":
            self.at += 2
            low = self.parse_code(4)[0][0]
            if not 0xDC00 <= low <= 0xDFFF:
                raise self.report_unsupported("half a surrogate pair")
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
        if code > TOP:
            raise self.report_unsupported("a broken escape")
        return ((code, code),)

    def parse_category(self, negated: bool) -> Ranges:
        end = self.text.find("}", self.at)
        if not self.take("{") or end < 0:
            raise self.report_unsupported("a broken \\p")
        name, self.at = self.text[self.at : end], end + 1
        ranges = _find_category(name.rpartition("=")[2])
        if not ranges:
            raise self.report_unsupported(f"the property {name}")
        return invert(ranges) if negated else ranges


_LONG = {
    "Letter": "L",
    "Lowercase_Letter": "Ll",
    "Uppercase_Letter": "Lu",
    "Number": "N",
    "digit": "Nd",
    "Decimal_Number": "Nd",
    "Punctuation": "P",
    "punct": "P",
    "Symbol": "S",
    "Separator": "Z",
    "Mark": "M",
    "Other": "C",
    "Alphabetic": "L",
}


@lru_cache(maxsize=32)
def _find_category(name: str) -> Ranges:
    """The characters of a general category, from the Unicode tables of this Python."""
    from unicodedata import category

    category_code = _LONG.get(name, name)
    if not 1 <= len(category_code) <= 2 or not category_code[0].isupper():
        return ()
    ranges, low = [], -1
    for code in range(TOP + 2):
        inside = code <= TOP and category(chr(code)).startswith(category_code)
        if inside and low < 0:
            low = code
        elif not inside and low >= 0:
            ranges.append((low, code - 1))
            low = -1
    return intersect(tuple(ranges), ALL)


# A pattern of ECMA-262 as one of Python's `re`, so that a payload is searched as JSON Schema says.
#
# Python's `$` also stands before a last line break, its `\d` takes every script's digits. So the tree is spelled anew.


@lru_cache(1_000)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """The pattern for `search`; as written where our parser does not read it. Raises re.error for no pattern at all."""
    try:
        text = render_node(parse_pattern(pattern))
    except (Inconclusive, RecursionError):
        text = pattern
    for spelling in (text, pattern):
        try:
            return re.compile(spelling)
        except (re.error, OverflowError, ValueError, RecursionError) as e:  # a count may be too long to be read
            why = str(e)
    raise re.error(why, pattern)


def render_node(node: Node) -> str:
    """A tree as one of Python's regular expressions."""
    kind = node[0]
    if kind == "set":
        return _render_class(node[1])
    if kind == "cat":
        return "".join(map(render_node, node[1]))
    if kind == "alt":
        return f"(?:{'|'.join(map(render_node, node[1]))})"
    if kind == "rep":
        high = "" if node[3] is None else node[3]
        return f"(?:{render_node(node[1])}){{{node[2]},{high}}}"
    if kind == "look":
        return f"(?{'!' if node[2] else '='}{render_node(node[1])})"
    return r"\A"


def _render_class(ranges: Ranges) -> str:
    if not ranges:
        return "(?!)"
    return (
        "["
        + "".join(
            _render_character(a) if a == b else f"{_render_character(a)}-{_render_character(b)}" for a, b in ranges
        )
        + "]"
    )


def _render_character(code: int) -> str:
    return f"\\U{code:08x}"
