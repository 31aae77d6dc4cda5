"""What an operation can only mean where a part of it is left out: read as that, because asking again costs a call."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graphbus_core.model.operation import AddField, AddMethod, Operation

PLAIN_MAX = 80  # characters of a default that is read as a plain word


def method_of(part: Mapping[str, Any]) -> dict[str, str]:
    """The method that a whole method's source defines, where the operation does not name it beside."""
    if part.get("op") != AddMethod.op or part.get("method") or not isinstance(part.get("source"), str):
        return {}
    try:
        defined = [getattr(s, "name", "") for s in ast.parse(textwrap.dedent(part["source"])).body]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}  # said when the source is read
    return {"method": defined[0]} if len(defined) == 1 and defined[0] else {}


def as_meant(op: Operation) -> Operation:
    """The operation with the default of a text as Python writes it: `en`, and nothing at all, are `'en'` and `''`.

    `city` as what a method gives for its new field `city` is the parameter of that name, handed on.
    """
    if not isinstance(op, AddField) or op.type.strip() != "str" or op.default is None:
        return op
    if op.side != "input" and op.default.strip() == op.field.rpartition(".")[2]:
        return op
    try:
        ast.literal_eval(op.default)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # JSON has quotes of its own, and models forget the second pair. What is more than words may be code: refused.
        plain = len(op.default) <= PLAIN_MAX and all(c.isalnum() or c in " -_" for c in op.default)
        return replace(op, default=repr(op.default)) if plain else op
    return op
