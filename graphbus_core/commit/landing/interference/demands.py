"""What a use asks of the value that it gets, and whether a value of another shape gives it. Text in, nothing is run.

`lo, hi = f()` asks for two; `f()["name"]` for a key; `for x in f()` for something to go through. What is handed on asks
for nothing that can be told: then nobody knows whether the other shape fits, and a test must say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MAX_STEPS = 4  # of names and comprehensions that hand a value on
_GOES_THROUGH = frozenset(
    {"sum", "sorted", "list", "set", "tuple", "min", "max", "any", "all", "enumerate", "frozenset"}
)
_CONTAINERS = ("tuple", "list", "set", "dict", "str", "bytes")


@dataclass(frozen=True)
class Demand:
    """One thing that is asked of a value."""

    kind: str  # unpack, index, key, through, length, none; `?` where it is not told
    what: object = None
    line: int = 0
    read: tuple[int, ...] = ()  # of what is taken apart, the places that somebody reads

    def __str__(self) -> str:
        match self.kind:
            case "unpack":
                return f"is taken apart into {self.what}"
            case "index" | "key":
                return f"is asked for {self.what!r}"
            case "through":
                return "is gone through"
            case "length":
                return "is asked for its length"
            case "none":
                return "is held against None"
        return "is handed on"


def read_demands(node: ast.AST, function: ast.AST) -> frozenset[Demand]:
    """What is asked of the value of an expression that stands in a function (or a module)."""
    parents = {id(child): parent for parent in ast.walk(function) for child in ast.iter_child_nodes(parent)}
    return frozenset(_Reader(function, parents).of_value(node, 0))


class _Reader:
    def __init__(self, function: ast.AST, parents: dict[int, ast.AST]) -> None:
        self.function, self.parents = function, parents

    def of_value(self, node: ast.AST, steps: int) -> Iterator[Demand]:
        """What is asked of the value of a node by what stands around it."""
        parent = self.parents.get(id(node))
        line = getattr(node, "lineno", 0)
        match parent:
            case ast.Await() | ast.NamedExpr():
                yield from self.of_value(parent, steps)
            case ast.Expr():
                return
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield from self._of_name(name, steps)
            case ast.Assign(targets=[ast.Tuple(elts=parts) | ast.List(elts=parts)]):
                read = tuple(i for i, part in enumerate(parts) if self._is_read(part))
                yield Demand("through", None, line) if _has_rest(parts) else Demand("unpack", len(parts), line, read)
            case ast.Tuple(elts=values) if isinstance(self.parents.get(id(parent)), ast.Assign):
                yield from self._of_place(
                    self.parents[id(parent)], next(i for i, v in enumerate(values) if v is node), len(values), steps
                )
            case ast.Subscript(value=value, slice=ast.Constant(value=key)) if value is node:
                yield Demand("index" if isinstance(key, int) else "key", key, line)
            case ast.Compare(ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
                yield Demand("none", None, line)
            case ast.For(iter=value) | ast.AsyncFor(iter=value) | ast.comprehension(iter=value) if value is node:
                yield Demand("through", None, line)
            case ast.Call(func=ast.Name(id="len")):
                yield Demand("length", None, line)
            case ast.Call(func=ast.Name(id=name)) if name in _GOES_THROUGH:
                yield Demand("through", None, line)
            case ast.Attribute(attr="get" | "pop"):
                call = self.parents.get(id(parent))
                if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant):
                    yield Demand("key", call.args[0].value, line)
                else:
                    yield Demand("?", None, line)
            case ast.ListComp(elt=value) | ast.SetComp(elt=value) | ast.GeneratorExp(elt=value) if value is node:
                yield from self._of_elements(parent, steps)
            case _:
                yield Demand("?", None, line)

    def _of_name(self, name: str, steps: int) -> Iterator[Demand]:
        """What is asked of a local name that is given a value once."""
        names = [n for n in ast.walk(self.function) if isinstance(n, ast.Name) and n.id == name]
        if steps >= MAX_STEPS or sum(isinstance(n.ctx, ast.Store) for n in names) != 1:
            yield Demand("?")
            return
        for use in names:
            if isinstance(use.ctx, ast.Load):
                yield from self.of_value(use, steps + 1)

    def _of_place(self, assignment: ast.AST, place: int, count: int, steps: int) -> Iterator[Demand]:
        """What is asked of one value of `a, b = f(), g()`."""
        match assignment:
            case ast.Assign(targets=[ast.Tuple(elts=parts)]) if len(parts) == count:
                target = parts[place]
                yield from self._of_name(target.id, steps) if isinstance(target, ast.Name) else [Demand("?")]
            case _:
                yield Demand("?")

    def _is_read(self, target: ast.expr) -> bool:
        """Whether a target of an assignment is more than a name that nobody reads."""
        return not isinstance(target, ast.Name) or any(
            isinstance(n, ast.Name) and n.id == target.id and isinstance(n.ctx, ast.Load)
            for n in ast.walk(self.function)
        )

    def _of_elements(self, collection: ast.AST, steps: int) -> Iterator[Demand]:
        """What is asked of each element of a collection by whoever goes through it."""
        parent = self.parents.get(id(collection))
        match parent:
            case ast.Assign(targets=[ast.Name(id=name)]) if steps < MAX_STEPS:
                for use in ast.walk(self.function):
                    if isinstance(use, ast.Name) and use.id == name and isinstance(use.ctx, ast.Load):
                        yield from self._of_elements(use, steps + 1)
            case ast.For(iter=value, target=ast.Name(id=name)) if value is collection:
                yield from self._of_name(name, steps + 1)
            case ast.comprehension(iter=value, target=ast.Name(id=name)) if value is collection:
                yield from self._of_name(name, steps + 1)
            case _:
                yield Demand("?", None, getattr(collection, "lineno", 0))


def _has_rest(parts: Iterable[ast.expr]) -> bool:
    return any(isinstance(part, ast.Starred) for part in parts)


def gives(shape: str, demand: Demand) -> bool | None:
    """Whether a value of a shape, as `read_result` tells it, gives what is asked; None where that cannot be told."""
    kind, is_dict = shape.split(" ")[0], shape.startswith("dict of ")
    if kind == "each":
        return True  # what stands in it is another question
    if demand.kind == "?" or kind == "?":
        return None
    if demand.kind == "none":
        return True
    if kind in ("None", "int", "float", "bool"):
        return False
    match demand.kind:
        case "unpack":
            return shape == f"tuple of {demand.what}" if kind == "tuple" else None
        case "index" if kind == "tuple" and isinstance(demand.what, int):
            return -int(shape.split(" ")[2]) <= demand.what < int(shape.split(" ")[2])
        case "index":
            return {"list": True, "str": True, "bytes": True, "set": False, "generator": False}.get(kind)
        case "key" if is_dict:
            keys = shape.removeprefix("dict of ").split(", ")
            return repr(demand.what) in keys or (None if "**" in keys else False)
        case "key":
            return False if kind in ("list", "tuple", "str", "set", "generator") else None
        case "through":
            return True if kind in (*_CONTAINERS, "generator") else None
        case "length":
            return True if kind in _CONTAINERS else False if kind == "generator" else None
    return None


def find_broken(before: frozenset[str], now: frozenset[str], demands: frozenset[Demand]) -> Demand | None:
    """What is asked that a result gave before and surely does not give any more."""
    lost, new = before - now, now - before
    for demand in sorted(demands, key=lambda d: d.line):
        if demand.kind == "none" and "None" in lost and not any(s.startswith("?") for s in new):
            return demand
        if any(gives(s, demand) is False for s in new) and not any(gives(s, demand) is False for s in before):
            return demand
    return None


def list_wanted(demands: frozenset[Demand]) -> frozenset[object] | None:
    """The keys and places of a result that a use reads; None where it may read all."""
    wanted: set[object] = set()
    for demand in demands:
        if demand.kind in ("index", "key"):
            wanted.add(demand.what)
        elif demand.kind == "unpack":
            wanted.update(demand.read)
        else:
            return None
    return frozenset(wanted) if wanted else None
