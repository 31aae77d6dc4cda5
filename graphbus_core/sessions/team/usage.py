"""Who uses a symbol of a project, and what a piece of it relies on. Texts in, places out; nothing is run.

What a place means, `analysis` tells. Here stands what counts: calls, names, attributes, imports, the methods of heirs
that override, and the definition that is overridden. The symbol's own body does not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from graphbus_core.analysis.references import Function, Reference
from graphbus_core.analysis.symbols import Symbol, SymbolResolver, TextFiles
from graphbus_core.analysis.type_checker import find_engine
from graphbus_core.sessions.team.symbol_changes import Symbols, read_symbols

MAX_USES = 2_000  # of one symbol
_RENAMED = re.compile(rb"\b([^\W\d]\w*)\s+as\s+([^\W\d]\w*)")


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, a class, or the value of a name."""

    path: str
    name: str
    node: ast.AST

    @property
    def line(self) -> int:
        """Where it stands, from 1."""
        return getattr(self.node, "lineno", 0)

    @property
    def word(self) -> str:
        """Its own name."""
        return self.name.rpartition(".")[2]

    @property
    def owner(self) -> str:
        """The qualified name of what it stands in; empty at the top of its module."""
        return self.name.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a symbol is used: file and line, and the definition that it stands in. `how`: calls it, overrides it …"""

    path: str
    line: int
    scope: str
    how: str
    node: ast.AST

    @property
    def symbol(self) -> str:
        """`FILE::QUALIFIED.NAME`; nothing behind the colons at the top of a module."""
        return f"{self.path}::{self.scope}"

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class Usage:
    """The definitions of a project's files, and who uses them. `worktree`: where they lie, for a type checker."""

    def __init__(self, texts: Mapping[str, bytes], worktree: Path | None = None) -> None:
        self.files = TextFiles(texts)
        engine = find_engine(worktree) if worktree is not None else None
        self._resolver = SymbolResolver(self.files, engine)
        self._symbols: dict[str, Symbols] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._resolver.close()

    # ---- symbols

    def read_symbols(self, path: str) -> Symbols:
        """The definitions of a file by their qualified names; none where it is not there or does not parse."""
        if path not in self._symbols:
            self._symbols[path] = read_symbols(self.files.read_tree(path)) if path in self.files else {}
        return self._symbols[path]

    def find_symbol(self, path: str, name: str) -> Definition | None:
        """The definition of a qualified name in a file."""
        node = self.read_symbols(path).get(name)
        return Definition(path, name, node) if node is not None else None

    def find_candidates(self, name: str) -> list[str]:
        """Every `FILE::NAME` that a bare or dotted name may mean."""
        found = []
        for path in self.files.find_with([name.rpartition(".")[2]]):
            dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            for symbol in self.read_symbols(path):
                if symbol == name or f".{dotted}.{symbol}".endswith(f".{name}"):
                    found.append(f"{path}::{symbol}")
        return found

    def find_constructor(self, target: Definition) -> Definition | None:
        """The `__init__` that makes the objects of a class, its own or a base's."""
        member = self._resolver.find_member((target.path, target.name), "__init__")
        return self.find_symbol(*member) if member is not None else None

    # ---- uses

    def find_uses(self, path: str, name: str) -> list[Place]:
        """Every place that uses a symbol, its own body aside; bounded."""
        target = self.find_symbol(path, name)
        if target is None:
            return []
        words = self._collect_words(target)
        places: dict[tuple[str, int, str], Place] = {}
        for file in self.files.find_with(words):
            for use in self._resolver.list_references(file):
                if use.word in words and not _is_inside(use, target) and self._means(use, target):
                    place = Place(use.path, use.line, use.scope, _describe(use), use.call or use.node)
                    places.setdefault((place.path, place.line, place.scope), place)
        places |= {(p.path, p.line, p.scope): p for p in self._find_overridden(target)}
        return list(places.values())[:MAX_USES]

    def _collect_words(self, target: Definition) -> set[str]:
        """What the symbol may be called where it is used: its name, and what imports make of it."""
        words = {target.word}
        if target.word == "__init__" and target.owner:
            heirs = self._resolver.list_heirs((target.path, target.owner))
            words |= {name.rpartition(".")[2] for name in (target.owner, *(name for _, name in heirs))}
        renamed = [pair for path in self.files for pair in _RENAMED.findall(self.files.read_content(path))]
        while more := {new.decode() for old, new in renamed if old.decode() in words} - words:
            words |= more
        return words

    def _means(self, use: Reference, target: Definition) -> bool:
        symbols = self._resolver.resolve(use)
        if (target.path, target.name) in symbols:
            return True
        if target.word != "__init__" or use.call is None:
            return False
        made = [self._resolver.find_member(symbol, "__init__") for symbol in symbols if symbol.name]
        return Symbol(target.path, target.name) in made

    def _find_overridden(self, target: Definition) -> Iterator[Place]:
        if not target.owner or target.word == "__init__":
            return
        member = self._resolver.find_member((target.path, target.owner), target.word, skip=1)
        found = self.find_symbol(*member) if member is not None else None
        if found is not None:
            yield Place(found.path, found.line, found.name, "is overridden by it", found.node)

    # ---- reliance

    def find_reliance(self, path: str, name: str) -> Iterator[tuple[str, str]]:
        """Each symbol that a definition relies on, with the place; those of itself aside."""
        target = self.find_symbol(path, name)
        if target is None:
            return
        own = f"{path}::{name}"
        for use in self._resolver.list_references(path):
            if _is_part(use, target):
                for symbol in self._list_meanings(use):
                    if str(symbol) != own and not str(symbol).startswith(f"{own}."):
                        yield str(symbol), f"{path}:{use.line}"
        yield from self._find_overriders(target)

    def _find_overriders(self, target: Definition) -> Iterator[tuple[str, str]]:
        """The methods of heirs that override it directly: whoever changes one of them relies on it."""
        for heir in self._resolver.list_heirs((target.path, target.owner)) if target.owner else ():
            own = self.find_symbol(heir[0], f"{heir[1]}.{target.word}")
            if own is not None and self._resolver.find_member(heir, target.word, skip=1) == (target.path, target.name):
                yield f"{own.path}::{own.name}", f"{target.path}:{target.line}"

    def find_reliance_at_top(self, path: str) -> Iterator[tuple[Reference, tuple[str, str]]]:
        """Each symbol that statements of a module itself rely on, imports aside, with the place."""
        for use in self._resolver.list_references(path) if path in self.files else ():
            if not use.scope and not isinstance(use.node, ast.ImportFrom):
                for symbol in self._list_meanings(use):
                    yield use, (str(symbol), f"{path}:{use.line}")

    def _list_meanings(self, use: Reference) -> Iterable[Symbol]:
        symbols = [symbol for symbol in self._resolver.resolve(use) if symbol.name]
        made = [self._resolver.find_member(symbol, "__init__") for symbol in symbols] if use.call is not None else []
        return [*symbols, *(init for init in made if init is not None)]


def _is_inside(use: Reference, target: Definition) -> bool:
    """Whether a place is a part of the symbol itself, a decorator that names it (`@total.setter`) with it."""
    if use.path != target.path:
        return False
    if use.scope == target.name or use.scope.startswith(f"{target.name}."):
        return True
    decorators = getattr(target.node, "decorator_list", ())
    return any(use.node in ast.walk(decorator) for decorator in decorators)


def _is_part(use: Reference, target: Definition) -> bool:
    if isinstance(target.node, Function | ast.ClassDef):
        return use.scope == target.name or use.scope.startswith(f"{target.name}.")
    return not use.scope and target.line <= use.line <= getattr(target.node, "end_lineno", target.line)


def _describe(use: Reference) -> str:
    match use.node:
        case ast.ImportFrom():
            return "imports it"
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return "overrides it"
    return "names it" if use.call is None else "calls it"
