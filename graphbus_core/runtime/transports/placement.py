"""Which nodes may run in several processes at once, and which keep something in themselves. It reads sources only.

A node keeps state in itself where it overrides `get_state`, or where one of its methods changes an attribute of `self`
that outlives the call. What `__init__`, `on_start` and `set_state` set is how a node is made, and is no state.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

MADE_IN = frozenset(("__init__", "on_start", "on_stop", "set_state", "set_mode"))
CHANGES = frozenset(
    [
        *("append", "add", "update", "extend", "insert", "pop", "popitem", "popleft", "appendleft", "remove"),
        *("discard", "clear", "setdefault", "sort", "reverse"),
    ]
)


def why_in_one_place(source: str, class_name: str) -> str | None:
    """Why the node of this class can run in one process only, with the line; None: several may share its work."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return "its source cannot be read"
    name = class_name.rpartition(".")[2]
    kinds = [one for one in ast.walk(tree) if isinstance(one, ast.ClassDef) and one.name == name]
    for kind in kinds:
        for method in kind.body:
            if not isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if method.name == "get_state":
                return f"it keeps state (get_state, line {method.lineno})"
            if method.name in MADE_IN or not method.args.args:
                continue
            for line, what in _changes(method, method.args.args[0].arg):
                return f"{method.name} changes self.{what} (line {line})"
    return None


def _changes(method: ast.AST, me: str) -> Iterator[tuple[int, str]]:
    for one in ast.walk(method):
        targets: list[ast.expr] = []
        match one:
            case ast.Assign():
                targets = one.targets
            case ast.AugAssign() | ast.AnnAssign():
                targets = [one.target]
            case ast.Delete():
                targets = one.targets
            case ast.Call(func=ast.Attribute(attr=attr, value=inner)) if attr in CHANGES:
                targets = [inner]
            case _:
                continue
        for target in targets:
            if (found := _attribute(target, me)) is not None and found not in ("memory", "bus", "nodes"):
                yield one.lineno, found


def _attribute(target: ast.expr, me: str) -> str | None:
    """`items` of `self.items`, `self.items[0]` and `self.items.first`."""
    found = None
    while isinstance(target, ast.Attribute | ast.Subscript):
        if isinstance(target, ast.Attribute):
            found = target.attr
        target = target.value
    return found if isinstance(target, ast.Name) and target.id == me else None
