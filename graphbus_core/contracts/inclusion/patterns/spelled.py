"""A pattern of ECMA-262 as one of Python's `re`, so that a payload is searched as JSON Schema says.

Python's `$` also stands before a last line break, its `\\d` takes every script's digits. So the tree is spelled anew.
"""

from __future__ import annotations

import re
from functools import lru_cache

from graphbus_core.contracts.inclusion.patterns.regex import Node, Ranges, parse
from graphbus_core.contracts.values.budget import GivesUp


@lru_cache(1_000)
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern for `search`; as written where our parser does not read it. Raises re.error for no pattern at all."""
    try:
        text = _spelled(parse(pattern))
    except (GivesUp, RecursionError):
        text = pattern
    for one in (text, pattern):
        try:
            return re.compile(one)
        except (re.error, OverflowError, ValueError, RecursionError) as e:  # a count may be too long to be read
            why = str(e)
    raise re.error(why, pattern)


def _spelled(node: Node) -> str:
    kind = node[0]
    if kind == "set":
        return _class(node[1])
    if kind == "cat":
        return "".join(map(_spelled, node[1]))
    if kind == "alt":
        return f"(?:{'|'.join(map(_spelled, node[1]))})"
    if kind == "rep":
        high = "" if node[3] is None else node[3]
        return f"(?:{_spelled(node[1])}){{{node[2]},{high}}}"
    if kind == "look":
        return f"(?{'!' if node[2] else '='}{_spelled(node[1])})"
    return r"\A"


def _class(ranges: Ranges) -> str:
    if not ranges:
        return "(?!)"
    return "[" + "".join(_letter(a) if a == b else f"{_letter(a)}-{_letter(b)}" for a, b in ranges) + "]"


def _letter(code: int) -> str:
    return f"\\U{code:08x}"
