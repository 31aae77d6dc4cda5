"""The functions, classes and modules of a source by qualified name, and under which name a side has them now."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, TypeVar

from graphbus_core.editing.source import Source
from graphbus_core.editing.structural_merge.pieces import DEFINITIONS, Field, module_pieces

RENAMED = 0.6  # the share of nodes that both have: below it, one definition went and another came


@dataclass(frozen=True)
class Promise:
    """What a merged text does not hold of what a side did."""

    promise: str  # "edit", "flow", "repeat", "name", "wrap"
    symbol: str
    what: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.symbol}:{self.line}: {self.what}" if self.line else f"{self.symbol}: {self.what}"


@dataclass(frozen=True, eq=False)
class Scope:
    """A module, class or function: its name in the base, and its own statements."""

    name: str
    node: ast.AST
    facts: dict[str, Any] = field(default_factory=dict)  # what `read_once` found

    @property
    def body(self) -> Sequence[ast.stmt]:
        body: Sequence[ast.stmt] = self.node.body  # type: ignore[attr-defined]
        return body


T = TypeVar("T")


def read_once(read: Callable[[Scope], T]) -> Callable[[Scope], T]:
    """A reading of a scope that is kept with it: one scope is held against many candidates."""

    @wraps(read)
    def read_or_recall(scope: Scope) -> T:
        if read.__qualname__ not in scope.facts:
            scope.facts[read.__qualname__] = read(scope)
        found: T = scope.facts[read.__qualname__]
        return found

    return read_or_recall


Renames = dict[str, dict[str, str]]  # scope, by its old name -> new name in it -> old name


def read_scopes(tree: ast.AST, renames: Renames | None = None, name: str = "") -> Iterator[Scope]:
    """Every scope of a tree. A renamed definition stands under its old name.

    Definitions of one name in one scope are told apart by a number behind the name.
    """
    yield Scope(name, tree)
    renamed = (renames or {}).get(name, {})
    for key, definition in _numbered(own_definitions(tree)):
        called = renamed.get(key, key)
        yield from read_scopes(definition, renames, f"{name}.{called}" if name else called)


def find_renames(tree: ast.AST, base: ast.AST, name: str = "") -> Iterator[tuple[str, str, str]]:
    """Scope, new name and old name of each definition that stands under another name since `base`."""
    old = dict(_numbered(own_definitions(base)))
    numbered = _numbered(own_definitions(tree))
    renamed = _renames(numbered, old)
    for key, definition in numbered:
        called = renamed.get(key, key)
        if key in renamed:
            yield name, key, called
        if called in old:
            yield from find_renames(definition, old[called], f"{name}.{called}" if name else called)


def own_definitions(node: ast.AST) -> Iterator[ast.stmt]:
    """The functions and classes that are defined in a scope, under conditions, too, not those inside of them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, DEFINITIONS):
            yield child
        elif isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from own_definitions(child)


def _numbered(definitions: Iterator[ast.stmt] | Sequence[ast.stmt]) -> list[tuple[str, ast.stmt]]:
    """From the last to the first, so that overloads put above a function leave its name alone."""
    seen: dict[str, int] = {}
    out = []
    for definition in reversed(list(definitions)):
        name = str(getattr(definition, "name", ""))
        count = seen[name] = seen.get(name, 0) + 1
        out.append((name if count == 1 else f"{name}#{count}", definition))
    return out[::-1]


def _renames(new: Sequence[tuple[str, ast.stmt]], old: dict[str, ast.stmt]) -> dict[str, str]:
    """New name -> old name, of the definitions that are the same under another name."""
    names = {key for key, _ in new}
    lost = {key: d for key, d in old.items() if key not in names}
    found: dict[str, str] = {}
    for key, definition in new:
        if key in old or not lost:
            continue
        best = max(lost, key=lambda k: _likeness(lost[k], definition))
        if type(lost[best]) is type(definition) and _likeness(lost[best], definition) >= RENAMED:
            found[key] = best
            del lost[best]
    return found


def _likeness(a: ast.AST, b: ast.AST) -> float:
    left, right = _shapes(a), _shapes(b)
    common = sum(min(n, right.get(shape, 0)) for shape, n in left.items())
    total = sum(left.values()) + sum(right.values())
    return 2 * common / total if total else 1.0


def _shapes(node: ast.AST) -> dict[str, int]:
    counts: dict[str, int] = {}
    for child in ast.walk(node):
        if child is node:
            continue
        shape = ast.dump(child) if isinstance(child, ast.Name | ast.Constant | ast.arg) else type(child).__name__
        counts[shape] = counts.get(shape, 0) + 1
    return counts


@dataclass(frozen=True, eq=False)
class Versions:
    """One scope as the base, either side and the merged text have it; None where one has not."""

    name: str
    base: Scope | None
    ours: Scope | None
    theirs: Scope | None
    merged: Scope | None


@dataclass(frozen=True, eq=False)
class Reading:
    """A source by its scopes, each read when it is asked for."""

    source: Source
    renames: Renames

    @cached_property
    def scopes(self) -> dict[str, Scope]:
        return {scope.name: scope for scope in read_scopes(self.source.tree, self.renames)}

    @cached_property
    def texts(self) -> dict[str, bytes]:
        return {name: _own_text(self.source, scope) for name, scope in self.scopes.items()}

    @cached_property
    def statements(self) -> Field:
        return module_pieces(self.source)


def find_all_renames(base: Source, *sides: Source) -> Renames:
    """What any side calls otherwise."""
    renames: Renames = {}
    for side in sides:
        for scope, new, old in find_renames(side.tree, base.tree):
            renames.setdefault(scope, {})[new] = old
    return renames


def match_versions(four: Sequence[Reading]) -> list[Versions]:
    """The scopes that are not the same in base, ours, theirs and merged, in the order of their names."""
    names = sorted({name for reading in four for name in reading.scopes})
    return [
        Versions(n, *(reading.scopes.get(n) for reading in four))
        for n in names
        if len({reading.texts.get(n) for reading in four}) > 1
    ]


def _own_text(source: Source, scope: Scope) -> bytes:
    """A scope as it is written, without the definitions that stand in it as statements."""
    out = []
    if not isinstance(scope.node, ast.Module):
        start, end = source.span(scope.node)
        first = min([start, *(source.span(d)[0] for d in getattr(scope.node, "decorator_list", []))])
        out.append(source.data[first : source.span(scope.body[0])[0]])
    for statement in scope.body:
        if isinstance(statement, DEFINITIONS):
            out.append(statement.name.encode())
        else:
            start, end = source.span(statement)
            out.append(source.data[start:end])
    return b"\0".join(out)


def in_scope(scope: Scope) -> Iterator[ast.AST]:
    """The nodes of a scope in order, without what stands in the definitions inside of it."""
    waiting: list[ast.AST] = list(reversed(list(scope.body)))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, DEFINITIONS):
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def find_shared_functions(base: Source, ours: Source, theirs: Source, merged: Source) -> list[str]:
    """The functions that both sides changed, by the name that a running one tells (`co_qualname`)."""
    renames = find_all_renames(base, ours, theirs)
    four = [Reading(source, renames) for source in (base, ours, theirs, merged)]
    shared = []
    for versions in match_versions(four):
        scope = versions.merged
        if scope is None or not isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        old, mine, other = (reading.texts.get(versions.name) for reading in four[:3])
        if None not in (old, mine, other) and mine != old and other != old:
            prefix = scope.name.rpartition(".")[0]
            shared.append(f"{prefix}.{scope.node.name}" if prefix else scope.node.name)
    return shared
