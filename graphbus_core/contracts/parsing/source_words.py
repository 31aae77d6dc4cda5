"""Names and constants of a contract as they stand in source: what they mean, with nothing imported or evaluated."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

# Names as they stand in source: what a name is found to be, and the word of standard typing that it means.


# `resolve("Order")` or `resolve("shop.Order")`: the definition found for a name (a ClassDef, or the expression that the
# name stands for) and the resolve that holds where it was found; None where there is none. A resolve may have an
# attribute `find_imported_name`: a function that gives the full dotted name of what was imported from outside, or None.
Found: TypeAlias = "tuple[ast.AST, Resolve] | None"
Resolve: TypeAlias = Callable[[str], Any]

# Deeper than contracts that people write; a hostile one ends as "not read" instead of ending the process.
MAX_DEPTH = 60  # nested expressions and references; a contract deeper than this is not read


class Unreadable(Exception):
    """Source alone does not tell: `at` must be evaluated, because of `reason`."""

    def __init__(self, node: ast.AST, reason: str) -> None:
        super().__init__(reason)
        self.at, self.reason = node, reason


def no_names(name: str) -> None:
    """A resolve that knows no names: only the words of standard typing can be read."""


def find_imported_name(resolve: Resolve, name: str) -> str | None:
    """The full name of a class from a library outside the project, where `resolve` knows it."""
    find_import = getattr(resolve, "imported", None)
    full_name: str | None = find_import(name) if find_import is not None else None
    return full_name


def resolve_word(node: ast.AST, resolve: Resolve, depth: int) -> str:
    """The last segment of a name, seen through `import typing as t` and `from typing import Literal as L`."""
    name = read_dotted_name(node)
    definition = look_up_name(resolve, name, node)
    if definition is not None and isinstance(definition[0], ast.Name | ast.Attribute) and depth < MAX_DEPTH:
        return resolve_word(definition[0], definition[1], depth + 1)
    return name.rpartition(".")[2]


def look_up_name(resolve: Resolve, name: str, origin: ast.AST) -> tuple[ast.AST, Resolve] | None:
    definition = resolve(name) if name else None
    if definition is None:
        return None
    node, inner = definition
    same = isinstance(node, ast.Name | ast.Attribute) and read_dotted_name(node) == name and inner is resolve
    # A name that leads to itself (`Order = Order`) is where the search ends.
    return None if node is origin or same else (read_made_class(node), inner)


@lru_cache(1000)  # one class for each call, so that it is known again within itself
def read_made_class(node: ast.AST) -> ast.AST:
    """`make_dataclass("Point", [("x", int), ("y", int, 0)])` as the class that it makes; any other node as it is."""
    match node:
        case ast.Call(func=func, args=[ast.Constant(value=str() as name), ast.List() | ast.Tuple() as fields, *_]) if (
            read_dotted_name(func).rpartition(".")[2] == "make_dataclass"
        ):
            lines: list[ast.stmt] = []
            for field in fields.elts:
                match field:
                    case ast.Constant(value=str() as field_name):
                        lines.append(ast.AnnAssign(ast.Name(field_name), ast.Name("Any"), None, 1))
                    case ast.Tuple(elts=[ast.Constant(value=str() as field_name), hint, *default]):
                        lines.append(ast.AnnAssign(ast.Name(field_name), hint, next(iter(default), None), 1))
                    case _:
                        return node
            bases = [b for k in node.keywords if k.arg == "bases" for b in getattr(k.value, "elts", ())]
            return ast.ClassDef(name, bases, [], lines, [func], lineno=node.lineno, col_offset=node.col_offset)
    return node


def read_dotted_name(node: ast.AST | None) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = read_dotted_name(node.value)
        return f"{head}.{node.attr}" if head else node.attr
    return ""


# Constants as they stand in source: literals, members of enums, small sums. Nothing is evaluated.


def read_literals(inner: Sequence[ast.expr], resolve: Resolve, depth: int) -> list[Any]:
    values: list[Any] = []
    for node in inner:
        definition = look_up_name(resolve, read_dotted_name(node), node)
        literal, names = definition if definition and isinstance(definition[0], ast.Subscript) else (node, resolve)
        if isinstance(literal, ast.Subscript) and depth < MAX_DEPTH:  # Literal[Literal["a"], "b"], also by a name
            deeper = list(literal.slice.elts) if isinstance(literal.slice, ast.Tuple) else [literal.slice]
            inner_values = read_literals(deeper, names, depth + 1)
        else:
            inner_values = [read_constant(node, resolve, depth)]
        # By type as well: 1 and True are equal in Python, and two values in JSON.
        values += [v for v in inner_values if not any(v == w and type(v) is type(w) for w in values)]
    return values


def read_constant(node: ast.AST | None, resolve: Resolve, depth: int) -> Any:
    match node:
        case ast.Constant(value=value) if value is None or isinstance(value, str | int | float | bool):
            return value
        case ast.UnaryOp(op=ast.USub()):
            value = read_constant(node.operand, resolve, depth)
            if isinstance(value, int | float):
                return -value
        case ast.BinOp(op=ast.Pow() | ast.Mult() | ast.Add() | ast.Sub()):
            return _compute_arithmetic(node, resolve, depth)
        case ast.Call(func=ast.Name(id="Decimal"), args=[one]):
            # A float, because that is how a Decimal's bound is compared.
            return float(read_constant(one, resolve, depth))
        case ast.Name() | ast.Attribute() if depth < MAX_DEPTH:
            return _read_named_constant(node, resolve, depth)
    raise Unreadable(node or ast.Constant(None), "it is not a constant that can be read from source")


def _compute_arithmetic(node: ast.BinOp, resolve: Resolve, depth: int) -> int | float:
    left_value, right = (read_constant(s, resolve, depth + 1) for s in (node.left, node.right))
    # Small ones alone: `10 ** 10 ** 10` in somebody's source must not be computed here.
    small = isinstance(left_value, int | float) and isinstance(right, int | float) and abs(left_value) <= 1e9
    if small and isinstance(node.op, ast.Pow) and 0 <= right <= 20:
        return left_value**right  # type: ignore[no-any-return]
    if small and not isinstance(node.op, ast.Pow):
        results = {ast.Mult: left_value * right, ast.Add: left_value + right, ast.Sub: left_value - right}
        return results[type(node.op)]  # type: ignore[no-any-return]
    raise Unreadable(node, "its value must be evaluated")


def _read_named_constant(expression: ast.Name | ast.Attribute, resolve: Resolve, depth: int) -> Any:
    if isinstance(expression, ast.Attribute):  # Color.RED, Color.RED.value
        owner = expression.value if expression.attr != "value" else None
        if expression.attr == "value":
            return read_constant(expression.value, resolve, depth + 1)
        definition = (
            look_up_name(resolve, read_dotted_name(owner), expression)
            if isinstance(owner, ast.Name | ast.Attribute)
            else None
        )
        if definition and isinstance(definition[0], ast.ClassDef):
            listed = read_enum_members(definition[0], definition[1], depth)
            if expression.attr in listed:
                return listed[expression.attr]
    definition = look_up_name(resolve, read_dotted_name(expression), expression)
    if definition is None or isinstance(definition[0], ast.ClassDef):
        raise Unreadable(expression, f"{read_dotted_name(expression)} is not a constant found in the project")
    node = definition[0].value if isinstance(definition[0], ast.Assign | ast.AnnAssign) else definition[0]
    return read_constant(node, definition[1], depth + 1)


def list_constants(node: ast.expr, resolve: Resolve, depth: int) -> list[str]:
    if isinstance(node, ast.List | ast.Tuple):
        return [str(read_constant(e, resolve, depth)) for e in node.elts]
    return str(read_constant(node, resolve, depth)).replace(",", " ").split()


def is_str_enum(node: ast.ClassDef, resolve: Resolve, depth: int) -> bool:
    """Whether an Enum is a StrEnum, itself or by a base."""
    for base in node.bases:
        if isinstance(base, ast.Name | ast.Attribute):
            if resolve_word(base, resolve, depth) == "StrEnum":
                return True
            definition = look_up_name(resolve, read_dotted_name(base), base)
            inner = definition is not None and isinstance(definition[0], ast.ClassDef) and depth < MAX_DEPTH
            if inner and definition is not None and is_str_enum(definition[0], definition[1], depth + 1):  # type: ignore[arg-type]
                return True
    return False


def read_enum_members(node: ast.ClassDef, resolve: Resolve, depth: int) -> dict[str, Any]:
    """The members of an Enum: name -> value."""
    members: dict[str, Any] = {}
    text = is_str_enum(node, resolve, depth)
    last = 0
    for line in node.body:
        target = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
        if not isinstance(line, ast.Assign | ast.AnnAssign) or not isinstance(target, ast.Name):
            continue
        name = target.id
        if name.startswith("_") or line.value is None:
            continue
        if isinstance(line.value, ast.Call) and read_dotted_name(line.value.func).rpartition(".")[2] == "auto":
            # `auto()` counts on from the last number, and a StrEnum takes the name in small letters.
            members[name] = name.lower() if text else last + 1
        else:
            members[name] = read_constant(line.value, resolve, depth)
        last = members[name] if isinstance(members[name], int) else last
    return members
