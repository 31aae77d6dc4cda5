"""What a piece of Python's syntax tree tells by itself: its name, its last word, what it calls, what stands in it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


def dotted(at: ast.AST | None) -> str:
    """`a.b.c` for a name or a chain of attributes, else nothing."""
    if isinstance(at, ast.Name):
        return at.id
    if isinstance(at, ast.Attribute):
        head = dotted(at.value)
        return f"{head}.{at.attr}" if head else ""
    return ""


def last_name(at: ast.AST | None) -> str:
    """`Optional` of `typing.Optional`; nothing of what is not a name."""
    return at.attr if isinstance(at, ast.Attribute) else at.id if isinstance(at, ast.Name) else ""


def called_name(at: ast.AST) -> str:
    """The last name of what is called or named: `pytest.mark.xfail(…)` -> `xfail`."""
    return called_name(at.func) if isinstance(at, ast.Call) else last_name(at)


def inside(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Every node of a body in its order, without those of functions and classes that are defined in it."""
    waiting = list(reversed([*body]))
    while waiting:
        at = waiting.pop()
        yield at
        if not isinstance(at, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(reversed(list(ast.iter_child_nodes(at))))
