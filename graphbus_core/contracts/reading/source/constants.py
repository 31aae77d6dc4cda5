"""Constants as they stand in source: literals, members of enums, small sums. Nothing is evaluated."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from graphbus_core.contracts.reading.source.names import MAX_DEPTH, Resolve, Unread, dotted, lookup, word


def literals(inner: Sequence[ast.expr], resolve: Resolve, depth: int) -> list[Any]:
    values: list[Any] = []
    for at in inner:
        if isinstance(at, ast.Subscript):  # Literal[Literal["a"], "b"]
            deeper = list(at.slice.elts) if isinstance(at.slice, ast.Tuple) else [at.slice]
            found = literals(deeper, resolve, depth + 1)
        else:
            found = [constant(at, resolve, depth)]
        # By type as well: 1 and True are equal in Python, and two values in JSON.
        values += [v for v in found if not any(v == w and type(v) is type(w) for w in values)]
    return values


def constant(at: ast.AST | None, resolve: Resolve, depth: int) -> Any:
    match at:
        case ast.Constant(value=value) if value is None or isinstance(value, str | int | float | bool):
            return value
        case ast.UnaryOp(op=ast.USub()):
            value = constant(at.operand, resolve, depth)
            if isinstance(value, int | float):
                return -value
        case ast.BinOp(op=ast.Pow() | ast.Mult() | ast.Add() | ast.Sub()):
            return _arithmetic(at, resolve, depth)
        case ast.Call(func=ast.Name(id="Decimal"), args=[one]):
            # A float, because that is how a Decimal's bound is compared.
            return float(constant(one, resolve, depth))
        case ast.Name() | ast.Attribute() if depth < MAX_DEPTH:
            return _named(at, resolve, depth)
    raise Unread(at or ast.Constant(None), "it is not a constant that can be read from source")


def _arithmetic(at: ast.BinOp, resolve: Resolve, depth: int) -> int | float:
    left, right = (constant(s, resolve, depth + 1) for s in (at.left, at.right))
    # Small ones alone: `10 ** 10 ** 10` in somebody's source must not be computed here.
    small = isinstance(left, int | float) and isinstance(right, int | float) and abs(left) <= 1e9
    if small and isinstance(at.op, ast.Pow) and 0 <= right <= 20:
        return left**right  # type: ignore[no-any-return]
    if small and not isinstance(at.op, ast.Pow):
        made = {ast.Mult: left * right, ast.Add: left + right, ast.Sub: left - right}
        return made[type(at.op)]  # type: ignore[no-any-return]
    raise Unread(at, "its value must be evaluated")


def _named(at: ast.Name | ast.Attribute, resolve: Resolve, depth: int) -> Any:
    if isinstance(at, ast.Attribute):  # Color.RED, Color.RED.value
        owner = at.value if at.attr != "value" else None
        if at.attr == "value":
            return constant(at.value, resolve, depth + 1)
        found = lookup(resolve, dotted(owner), at) if isinstance(owner, ast.Name | ast.Attribute) else None
        if found and isinstance(found[0], ast.ClassDef):
            listed = members(found[0], found[1], depth)
            if at.attr in listed:
                return listed[at.attr]
    found = lookup(resolve, dotted(at), at)
    if found is None or isinstance(found[0], ast.ClassDef):
        raise Unread(at, f"{dotted(at)} is not a constant found in the project")
    node = found[0].value if isinstance(found[0], ast.Assign | ast.AnnAssign) else found[0]
    return constant(node, found[1], depth + 1)


def constants_in(at: ast.expr, resolve: Resolve, depth: int) -> list[str]:
    if isinstance(at, ast.List | ast.Tuple):
        return [str(constant(e, resolve, depth)) for e in at.elts]
    return str(constant(at, resolve, depth)).replace(",", " ").split()


def is_text(at: ast.ClassDef, resolve: Resolve, depth: int) -> bool:
    """Whether an Enum is a StrEnum, itself or by a base."""
    for base in at.bases:
        if isinstance(base, ast.Name | ast.Attribute):
            if word(base, resolve, depth) == "StrEnum":
                return True
            found = lookup(resolve, dotted(base), base)
            inner = found is not None and isinstance(found[0], ast.ClassDef) and depth < MAX_DEPTH
            if inner and found is not None and is_text(found[0], found[1], depth + 1):  # type: ignore[arg-type]
                return True
    return False


def members(at: ast.ClassDef, resolve: Resolve, depth: int) -> dict[str, Any]:
    """The members of an Enum: name -> value."""
    members: dict[str, Any] = {}
    text = is_text(at, resolve, depth)
    last = 0
    for line in at.body:
        target = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
        if not isinstance(line, ast.Assign | ast.AnnAssign) or not isinstance(target, ast.Name):
            continue
        name = target.id
        if name.startswith("_") or line.value is None:
            continue
        if isinstance(line.value, ast.Call) and dotted(line.value.func).rpartition(".")[2] == "auto":
            # `auto()` counts on from the last number, and a StrEnum takes the name in small letters.
            members[name] = name.lower() if text else last + 1
        else:
            members[name] = constant(line.value, resolve, depth)
        last = members[name] if isinstance(members[name], int) else last
    return members
