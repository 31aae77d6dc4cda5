"""A memo that keeps a copy, and gives copies: `M[k] = dict(v)`, `return v` for a miss, `return dict(M[k])` for a hit.

Where `v` is a dict or list that the lines made, it is equal to a copy of its copy, and shares the same parts with what
is kept: to give it back is as to give back what a hit gives.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_FROM = {"dict": ("dict",), "list": ("list", "tuple")}  # of what it is made again, by what it is


def give_as_found(
    value: ast.expr, tail: list[ast.stmt], lines: Sequence[ast.stmt], found: Sequence[ast.stmt], words: set[str]
) -> tuple[list[ast.stmt], set[str]]:
    """What a miss goes on with, in the words of a hit, and the builtin names that this rests on. `words`: dumps of what
    a hit calls the entry."""
    match tail, found:
        case [ast.Return(value=ast.Name(id=name))], [ast.Return(value=ast.expr() as given)]:
            stored, again = _read_copy(value), _read_copy(given)
        case _:
            return tail, set()
    if stored is None or again is None or ast.dump(again[1]) not in words:
        return tail, set()
    made = _find_made(name, lines)
    is_same = isinstance(stored[1], ast.Name) and stored[1].id == name and made == again[0]
    if not is_same or stored[0] not in _FROM[made]:
        return tail, set()
    return [copy.copy(found[0])], {*stored[2], *again[2]}


def _find_made(name: str, lines: Sequence[ast.stmt]) -> str:
    """Whether a display in these lines makes it a dict or a list, and nothing else binds it."""
    parts = [part for line in lines for part in ast.walk(line)]
    if any(isinstance(part, _DEFINING) for part in parts):
        return ""
    stores = [p for p in parts if isinstance(p, ast.Name) and p.id == name and not isinstance(p.ctx, ast.Load)]
    if len(stores) != 1:
        return ""
    for line in lines:
        match line:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=value) if (
                target is stores[0]
            ):
                if isinstance(value, ast.Dict | ast.DictComp):
                    return "dict"
                return "list" if isinstance(value, ast.List | ast.ListComp) else ""
    return ""


def _read_copy(node: ast.expr) -> tuple[str, ast.expr, set[str]] | None:
    """What kind of copy it makes of what, and by which builtin name."""
    match node:
        case ast.Call(func=ast.Name(id="dict" | "list" | "tuple" as kind), args=[inner], keywords=[]) if not (
            isinstance(inner, ast.Starred)
        ):
            return kind, inner, {kind}
        case ast.Dict(keys=[None], values=[inner]):
            return "dict", inner, set()
        case ast.List(elts=[ast.Starred(value=inner)]):
            return "list", inner, set()
        case ast.Tuple(elts=[ast.Starred(value=inner)]):
            return "tuple", inner, set()
    return None


__all__ = ["give_as_found"]
