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
    """An annotation that takes both, the consumer's own first; None where it cannot be written.

    Of a few literal values it is their whole type: a file may not have imported the word `Literal`.
    """
    mine, theirs = (annotation(one) or _of_literals(one) for one in (consumed, produced))
    if mine is None or theirs is None:
        return None
    parts = [*_alternatives(mine), *_alternatives(theirs)]
    if "float" in parts:
        parts = [p for p in parts if p != "int"]  # an integer is a number
    return " | ".join(dict.fromkeys(parts))


def _of_literals(schema: JsonSchema) -> str | None:
    """The one builtin type that all the values of a Literal have."""
    values = schema["const"] if "const" in schema else schema.get("enum", ())
    kinds = {type(value) for value in (values if isinstance(values, list | tuple) else [values])}
    return kinds.pop().__name__ if len(kinds) == 1 and kinds <= {str, int, bool} else None


def _alternatives(text: str) -> list[str]:
    """The members of a union, those inside of brackets left where they are."""
    todo, found = [ast.parse(text, mode="eval").body], list[str]()
    while todo:
        match todo.pop():
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                todo += [right, left]
            case one:
                found.append(ast.unparse(one))
    return found
