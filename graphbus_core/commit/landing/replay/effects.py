"""The calls that code makes for what they do outside of it: to a library, with a result that nobody reads. Pure.

Such a call leaves nothing behind that could be compared: a commit to a database, a message that is sent. That it is not
made any more can only be read off the lines that ran.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

_BUILT_IN = frozenset(name for kind in (str, bytes, list, dict, set, tuple) for name in dir(kind))
Lines = set[tuple[str, int]]
Trees = Mapping[str, ast.Module | None]


def find_lost_effect(before: Trees, ran_before: Lines, now: Trees, ran_now: Lines) -> str:
    """A method of a library that lines called for its effect, and that fewer places call in the other tree."""
    own = _list_own(before) | _list_own(now)
    foreign = _list_foreign(before, own)
    wanted = {
        func.attr for func, is_read in _iter_calls(before, ran_before)
        if not is_read and func.attr not in _BUILT_IN and _is_of(func.value, foreign)
    }  # fmt: skip
    places, later = (Counter(func.attr for func, _ in calls) for calls in
                     (_iter_calls(before, ran_before), _iter_calls(now, ran_now)))  # fmt: skip
    return min((name for name in wanted if later[name] < places[name]), default="")


def _list_own(trees: Trees) -> set[str]:
    """What the project itself defines."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return {node.name for tree in trees.values() if tree for node in ast.walk(tree) if isinstance(node, kinds)}


def _list_foreign(trees: Trees, own: set[str]) -> set[str]:
    """The attributes that hold what a library made: `db` of `self.db = sqlite3.connect(path)`."""
    return {
        target.attr
        for tree in trees.values() if tree
        for node in ast.walk(tree) if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        if isinstance(target, ast.Attribute) and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr not in own
    }  # fmt: skip


def _is_of(receiver: ast.expr, attributes: set[str]) -> bool:
    return isinstance(receiver, ast.Attribute) and receiver.attr in attributes


def _iter_calls(trees: Trees, ran: Lines) -> Iterator[tuple[ast.Attribute, bool]]:
    """The methods that are called in statements that ran, and whether somebody reads what they give."""
    for path in {path for path, _ in ran}:
        tree = trees.get(path)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.stmt) and (path, node.lineno) in ran:
                for part in _list_head(node):
                    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
                        yield part.func, not (isinstance(node, ast.Expr) and node.value is part)


def _list_head(node: ast.stmt) -> Iterator[ast.AST]:
    """What stands in a statement, without the statements in it."""
    waiting = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += [child for child in ast.iter_child_nodes(part) if not isinstance(child, ast.stmt)]
