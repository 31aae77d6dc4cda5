"""What a written type says of a value: an object of which class, a container of what, or nobody knows."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Protocol

from graphbus_core.build.understand.index import Box, Dark, Index, Kind, Outside, Thing, Type
from graphbus_core.build.understand.text.values import Class, Function, Values

MAX_STEPS = 40  # types in types, aliases of aliases
CONTAINERS = frozenset(
    """list dict set frozenset tuple List Dict Set Tuple Sequence Mapping MutableMapping Iterable Iterator Collection
    MutableSequence defaultdict deque Generator AsyncIterator AsyncGenerator ContextManager
    AsyncContextManager AbstractContextManager AbstractAsyncContextManager""".split()  # noqa: SIM905
)
WRAPPERS = frozenset(
    {"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "Awaitable", "Coroutine"}
)
_FIRST = frozenset(  # of their parts the first says what comes out
    """Generator AsyncGenerator ContextManager AsyncContextManager AbstractContextManager
    AbstractAsyncContextManager""".split()  # noqa: SIM905
)


class Doubts(Protocol):
    """What code beside a class, a function or a container puts there, whatever its hints say."""

    def attribute(self, kind: Kind, name: str, depth: int) -> Iterable[Kind]: ...
    def variable(self, path: str, name: str, depth: int) -> Iterable[Kind]: ...
    def field(self, path: str, cls: Class, name: str, depth: int) -> Iterable[Kind]: ...
    def elements(self, path: str, of: Values, depth: int) -> Iterable[Kind]: ...
    def is_handed_on(self, path: str, function: Function | Class) -> bool: ...


class Annotations:
    """Reads types against the whole project; `values` tells what a variable that stands in one is."""

    def __init__(self, index: Index, values: Callable[[str, Values, int], tuple[Kind, ...]]) -> None:
        self._index, self._values = index, values

    def of(self, path: str, annotation: str, depth: int = 0) -> tuple[Kind, ...]:
        """What a value of a written type is; empty for None."""
        at = parsed(annotation)
        return self._hint(path, at, depth) if at is not None else (Dark(f"{path}: the type `{annotation}`"),)

    def _hint(self, path: str, at: ast.expr, depth: int) -> tuple[Kind, ...]:
        if depth > MAX_STEPS:
            return (Dark(f"{path}: a type of more than {MAX_STEPS} steps"),)
        match at:
            case ast.Constant(value=None):
                return ()
            case ast.Constant(value=str() as text):
                return self.of(path, text, depth + 1)
            case ast.BinOp(left=left, right=right):
                return tuple(dict.fromkeys([*self._hint(path, left, depth + 1), *self._hint(path, right, depth + 1)]))
            case ast.Subscript(value=value, slice=inner):
                return self._generic(path, value, inner, depth + 1)
            case ast.Name() | ast.Attribute():
                return self._plain_hint(path, ast.unparse(at), depth)
        return (Dark(f"{path}: the type `{ast.unparse(at)}`"),)

    def _plain_hint(self, path: str, name: str, depth: int) -> tuple[Kind, ...]:
        found = self._index.dotted(path, name)
        match found:
            case Type(path=where, name=cls):
                return (Thing(where, cls),)
            case Outside(name=dotted):
                last = dotted.rpartition(".")[2]
                if last in ("Any", "object") or dotted.startswith("graphbus_core"):
                    return (Dark(f"{path}: `{name}` may be anything"),)
                return (Box(()),) if last in CONTAINERS else (Outside(dotted),)
            case (where, values):  # an alias: `Loader = Load`, `Source = A | B`
                kinds = self._values(where, values, depth + 1)
                return tuple(
                    Thing(k.path, k.name) if isinstance(k, Type) else alias_of(k, f"{path}: `{name}`") for k in kinds
                )
        return (Dark(f"{path}: the type `{name}` is not known"),)

    def _generic(self, path: str, value: ast.expr, inner: ast.expr, depth: int) -> tuple[Kind, ...]:
        word = getattr(value, "id", getattr(value, "attr", ""))
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        parts = [p for p in parts if not (isinstance(p, ast.Constant) and p.value is ...)]
        if word == "Union":
            return self._any_of(path, parts, depth)
        if word == "Literal":
            return (Outside("builtins.str"),)
        if not parts:
            return self._hint(path, value, depth)
        if word in WRAPPERS:
            return self._hint(path, parts[-1] if word == "Coroutine" else parts[0], depth)
        if word in ("type", "Type"):
            return tuple(Type(k.path, k.name) if isinstance(k, Thing) else k for k in self._hint(path, parts[0], depth))
        if word in CONTAINERS:
            return (Box(self._any_of(path, elements_of(word, parts), depth)),)
        return self._hint(path, value, depth)

    def _any_of(self, path: str, parts: Iterable[ast.expr], depth: int) -> tuple[Kind, ...]:
        return tuple(dict.fromkeys(kind for part in parts for kind in self._hint(path, part, depth)))


@lru_cache(maxsize=4096)
def parsed(annotation: str) -> ast.expr | None:
    """An annotation's text as an expression; None where it cannot be parsed."""
    try:
        return ast.parse(annotation, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def elements_of(word: str, parts: list[ast.expr]) -> list[ast.expr]:
    """Which of a container's parts say what lies in it: a mapping's values, what a generator yields."""
    if word in ("dict", "Dict", "Mapping", "MutableMapping", "defaultdict"):
        return parts[-1:]
    return parts[:1] if word in _FIRST else parts


def alias_of(kind: Kind, where: str) -> Kind:
    """A type that a call or a subscript of `typing` made (`TypeVar("T")`, `Optional[A]`) stands for others."""
    return Dark(where) if isinstance(kind, Outside) and kind.name.startswith("typing") else kind
