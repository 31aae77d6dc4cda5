"""Whether code only gives a value, so that it can go when nobody wants the value. Knows nothing of fields."""

from __future__ import annotations

import ast

from graphbus_core.build.understand.keys import scope
from graphbus_core.build.understand.keys.scope import FUNCTIONS, Function

MAX_DEPTH = 3  # inner functions that call inner functions
_DOING = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_GIVING = frozenset(
    """abs all any bool bytes dict float frozenset int isinstance len list max min range repr reversed round set sorted
    str sum tuple type zip""".split()  # noqa: SIM905
)


def gives_only(code: ast.AST, function: Function, depth: int = 0) -> bool:
    """Whether code only gives a value: it calls Python's own makers of values, and inner functions that do."""
    for node in ast.walk(code):
        if isinstance(node, ast.Call):
            known = isinstance(node.func, ast.Name) and node.func.id in _GIVING - scope.bound(function.body)
            text = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant | ast.JoinedStr)
            if not known and not text and not _calls_inner(node, function, depth):
                return False
        elif isinstance(node, _DOING):
            return False
    return True


def _calls_inner(call: ast.Call, function: Function, depth: int) -> bool:
    """Whether a call is one of a function inside of this one, written once, that only gives a value."""
    if not isinstance(call.func, ast.Name) or depth > MAX_DEPTH:
        return False
    name = call.func.id
    found = [n for n in scope.own_nodes(function) if isinstance(n, FUNCTIONS) and n.name == name]
    if len(found) != 1:
        return False
    return all(
        isinstance(s, ast.Return | ast.Assign | ast.If | ast.Expr)
        and not any(
            isinstance(t, ast.Attribute | ast.Subscript) and not isinstance(t.ctx, ast.Load) for t in ast.walk(s)
        )
        and not any(isinstance(t, ast.Nonlocal | ast.Global | ast.Raise | ast.Delete) for t in ast.walk(s))
        and gives_only(s, function, depth + 1)
        for s in found[0].body
    )
