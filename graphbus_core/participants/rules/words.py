"""Field types as annotations that a rule negotiator may write into a source file."""

from __future__ import annotations

import ast

from graphbus_core import contracts
from graphbus_core.contracts.gaps import JsonSchema

BUILTINS = frozenset({"str", "int", "float", "bool", "list", "dict", "None"})


def annotation(schema: JsonSchema) -> str | None:
    """The annotation for a field's schema, or None where it needs a name that the file may not have imported."""
    text = contracts.annotation(dict(schema))
    names = {n.id for n in ast.walk(ast.parse(text, mode="eval")) if isinstance(n, ast.Name)}
    return text if names <= BUILTINS else None


def widened(consumed: JsonSchema, produced: JsonSchema) -> str | None:
    """An annotation that takes both, the consumer's own first; None where it cannot be written."""
    mine, theirs = annotation(consumed), annotation(produced)
    if mine is None or theirs is None:
        return None
    parts = [*mine.split(" | "), *theirs.split(" | ")]
    if "float" in parts:
        parts = [p for p in parts if p != "int"]  # an integer is a number
    return " | ".join(dict.fromkeys(parts))
