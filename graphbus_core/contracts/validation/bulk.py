"""Many values of one schema looked at together: where the first is that may not fit.

What is said of one value in a microsecond takes milliseconds for ten thousand, and most of that is the loop. Types,
lengths and patterns of a whole list are looked at by a few calls that loop in C. The answer is careful in one
direction: -1 is sure, an index says that the search has to look from there on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

from graphbus_core.contracts.inclusion.regex import (
    ALL,
    END,
    Node,
    Ranges,
    intersect,
    invert,
    parse_pattern,
    render_node,
)
from graphbus_core.contracts.parsing.json_schema import SILENT
from graphbus_core.contracts.validation.first_error import find_exact_types
from graphbus_core.contracts.verdict import Inconclusive

LEAST = 32  # items: below, the loop is quicker
Locate = Callable[[Sequence[Any]], int]  # the first item that may not fit, or -1
_SEPARATOR = "\0"
_IN_TEXT = intersect(ALL, invert(((0, 0),)))
_OF_TEXTS = frozenset({"type", "minLength", "maxLength", "pattern", "format"})


def build_bulk_check(schema: Any, counted: frozenset[str]) -> Locate | None:
    """What looks at many values of a schema at once; None where they are looked at one by one."""
    types = find_exact_types(schema)
    if types:
        return _build_type_check(types)
    if not isinstance(schema, dict) or schema.get("type") != "string" or not schema.keys() - SILENT <= _OF_TEXTS:
        return None
    if schema.get("format") in counted:
        return None
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if "pattern" not in schema:
        return _build_length_check(least, most)
    pattern = _join_pattern(schema["pattern"], least, most)
    return None if pattern is None else _build_pattern_check(pattern)


def _build_type_check(types: frozenset[type]) -> Locate:
    number = float in types

    def locate(items: Sequence[Any]) -> int:
        kinds = list(map(type, items))
        if kinds[0] not in types:
            return 0
        other = _find_other_type(kinds)
        if other < len(kinds) and (kinds[other] not in types or sum(map(kinds.count, types)) < len(kinds)):
            return other
        # A sum is finite only where every part is: neither NaN nor infinity has a JSON form.
        return -1 if not number or _is_sum_finite(items) else 0

    return locate


def _is_sum_finite(numbers: Sequence[float]) -> bool:
    try:
        return isfinite(sum(numbers))
    except OverflowError:
        return False


def _find_other_type(kinds: list[type]) -> int:
    """The first that is not as `kinds[0]`; as many as there are, where all are. Halves are counted, which C does."""
    first, low, high = kinds[0], 0, len(kinds)
    if kinds.count(first) == high:
        return high
    while low < high:
        middle = (low + high) // 2
        if kinds[low : middle + 1].count(first) == middle + 1 - low:
            low = middle + 1
        else:
            high = middle
    return low


def _count_texts(items: Sequence[Any]) -> int:
    """How many texts the items begin with."""
    kinds = list(map(type, items))
    return _find_other_type(kinds) if kinds[0] is str else 0


def _build_length_check(least: int, most: int | None) -> Locate:
    def locate(items: Sequence[Any]) -> int:
        texts = _count_texts(items)
        lengths = list(map(len, items[:texts]))
        if lengths and (min(lengths) < least or (most is not None and max(lengths) > most)):
            return next(i for i, n in enumerate(lengths) if n < least or (most is not None and n > most))
        return -1 if texts == len(items) else texts

    return locate


def _build_pattern_check(pattern: re.Pattern[str]) -> Locate:
    def locate(items: Sequence[Any]) -> int:
        texts = _count_texts(items)
        joined = _SEPARATOR.join([*items[:texts], ""])
        matched = pattern.match(joined)
        if matched is None or joined.count(_SEPARATOR) != texts:
            return 0  # one of the texts holds the separator itself
        if matched.end() == len(joined):
            return -1 if texts == len(items) else texts
        return joined.count(_SEPARATOR, 0, matched.end())

    return locate


def _join_pattern(pattern: str, least: int, most: int | None) -> re.Pattern[str] | None:
    """A pattern that matches many texts, each with a separator behind it; None where that cannot be said.

    Every character of it is held back from the separator, so no text can reach into the next one. What it then takes is
    at most what the pattern takes.
    """
    try:
        tree = parse_pattern(pattern)
        parts = list(tree[1]) if tree[0] == "cat" else [tree]
        before = after = render_node(("rep", ("set", _IN_TEXT), 0, None))
        if parts and parts[0] == ("start",):
            parts, before = parts[1:], ""
        if parts and parts[-1] == END:
            parts, after = parts[:-1], ""
        body = _render_sequence([_hold_back(part) for part in parts], closed=not after)
        if sum(map(_count_least, parts)) >= least:
            least = 0  # nothing that the pattern takes is too short
        return re.compile(f"(?:{_refuse_lengths(least, most)}{before}{body}{after}{_SEPARATOR})*+")
    except (Inconclusive, RecursionError, re.error, OverflowError, ValueError):
        return None


def _render_sequence(parts: list[Node], *, closed: bool) -> str:
    """The parts one after the other; a repetition that cannot run into the next part is never tried shorter."""
    texts = [render_node(part) for part in parts]
    for i, part in enumerate(parts):
        following = _find_first(parts[i + 1]) if i + 1 < len(parts) else () if closed else ALL
        if part[0] == "rep" and part[1][0] == "set" and not intersect(part[1][1], following):
            texts[i] += "+"
    return "".join(texts)


def _find_first(part: Node) -> Ranges:
    """The characters that a part begins with; all, where that cannot be said at once."""
    inner = part[1] if part[0] == "rep" and part[2] > 0 else part
    ranges: Ranges = inner[1] if inner[0] == "set" else ALL
    return ranges


def _count_least(node: Node) -> int:
    """How many characters a part takes at least."""
    kind = node[0]
    if kind == "set":
        return 1
    if kind == "cat":
        return sum(map(_count_least, node[1]))
    if kind == "alt":
        return min(map(_count_least, node[1]), default=0)
    return int(node[2]) * _count_least(node[1]) if kind == "rep" else 0


def _refuse_lengths(least: int, most: int | None) -> str:
    """A look ahead that refuses texts that are too short or too long: the same in a third of the time of one that
    takes the others."""
    wrong = [f"[^{_SEPARATOR}]{{0,{least - 1}}}{_SEPARATOR}"] if least > 0 else []
    wrong += [f"[^{_SEPARATOR}]{{{most + 1}}}"] if most is not None else []
    return f"(?!{'|'.join(wrong)})" if wrong else ""


def _hold_back(node: Node) -> Node:
    kind = node[0]
    if kind == "set":
        return ("set", intersect(node[1], _IN_TEXT))
    if kind in ("cat", "alt"):
        return (kind, [_hold_back(part) for part in node[1]])
    if kind == "rep":
        return ("rep", _hold_back(node[1]), node[2], node[3])
    raise Inconclusive("pattern", "an anchor or a look within a pattern")
