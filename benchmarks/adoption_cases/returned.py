"""A changed return type: a function whose result its callers take apart gives a thing that has no such parts."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator

from benchmarks.adoption_cases.places import Part, Place, Read, awaited, bound_once, called

# how the value is written, how the hint is written, and what the new value has
WAYS = {
    "a bool": ("bool({})", "bool", bool),
    "a str": ("str({})", "str", str),
    "a pair": ("({}, None)", "tuple[{}, None]", tuple),
    "a dict around it": ('{{"result": {}}}', "dict[str, {}]", dict),
}


def changed_returns(read: Read, rng: random.Random) -> Iterator[Place]:
    """Functions with one name in the project, none of whose returns is bare."""
    needs = _relied_on(read)
    for part in read.parts:
        function = part.node
        if read.functions[function.name] != 1 or function.name not in needs or not _clear(part):
            continue
        returns = [n for n in _own(function) if isinstance(n, ast.Return)]
        if not returns or any(n.value is None or _is_none(n.value) for n in returns):
            continue
        ways = [way for way, (_, _, kind) in WAYS.items() if all(_breaks(kind, how) for how in needs[function.name])]
        if not ways:
            continue
        way = rng.choice(ways)
        text = read.texts[part.path].decode()
        pieces: list[tuple[ast.AST, str]] = []
        for at in returns:
            assert at.value is not None
            written = ast.get_source_segment(text, at.value) or ""
            bare = isinstance(at.value, ast.Tuple) and not written.startswith("(")
            pieces.append((at.value, WAYS[way][0].format(f"({written})" if bare else written)))
        if function.returns is not None:
            pieces.append((function.returns, WAYS[way][1].format(ast.get_source_segment(text, function.returns))))
        what = f"{function.name} gives {way} at {part.path}:{function.lineno}"
        yield Place("changed return type", part.path, what, tuple(pieces))


def _is_none(at: ast.expr) -> bool:
    return isinstance(at, ast.Constant) and at.value is None


def _own(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        at = waiting.pop()
        yield at
        if not isinstance(at, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(at))


def _clear(part: Part) -> bool:
    """Whether a call gives what the function returns."""
    words = {ast.unparse(d) for d in part.node.decorator_list}
    gives = any(isinstance(n, ast.Yield | ast.YieldFrom) for n in _own(part.node))
    return not gives and not words - {"staticmethod", "classmethod"}


def _breaks(kind: type, how: str | int) -> bool:
    """Whether taking such a value apart in this way fails."""
    if isinstance(how, int):
        return kind is bool or (kind is tuple and how != 2) or (kind is dict and how != 1)
    if how.startswith("."):
        return not hasattr(kind, how[1:])
    return how != "result"  # a key: a dict around it has not this one, and the others have none


def _relied_on(read: Read) -> dict[str, set[str | int]]:
    """Function -> how its callers take the result apart: `.attribute`, a key, a number of names."""
    found: dict[str, set[str | int]] = {}
    for part in read.parts:
        names = {name: value for name, value in bound_once(part).items() if isinstance(value, ast.Call)}
        asked = {ast.unparse(a.args[0]) for a in part.nodes if _asks(a)}
        for at in part.nodes:
            call: ast.expr | None = None
            how: str | int = ""
            match at:
                case ast.Attribute(value=value, attr=attr, ctx=ast.Load()):
                    call, how = awaited(value), f".{attr}"
                case ast.Subscript(value=value, slice=ast.Constant(value=str() as key), ctx=ast.Load()):
                    call, how = awaited(value), key
                case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value):
                    if not any(isinstance(p, ast.Starred) for p in parts):
                        call, how = awaited(value), len(parts)
            if isinstance(call, ast.Name) and call.id not in asked:
                call = names.get(call.id)
            if isinstance(call, ast.Call) and how != "" and _plainly(call):
                found.setdefault(called(call), set()).add(how)
    return found


def _plainly(call: ast.Call) -> bool:
    """Whether it can only be a call of ours: by a bare name, on `self`, or by a name of two words."""
    on_self = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) in ("self", "cls")
    return isinstance(call.func, ast.Name) or on_self or "_" in called(call).strip("_")


def _asks(at: ast.AST) -> bool:
    return (
        isinstance(at, ast.Call)
        and isinstance(at.func, ast.Name)
        and at.func.id in ("isinstance", "hasattr", "getattr")
        and bool(at.args)
    )
