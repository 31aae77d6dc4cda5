"""Who uses a symbol of a project, and what a piece of it relies on. Texts in, places out; nothing is run.

A file is parsed only when a word in it may matter. Where a name leads is told from the text: imports, classes and
their bases, annotations, what a local or an attribute was made of. A method that only one class of the project has is
known by its name alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from graphbus_core.commit.landing.interference.definitions import Definition, Function, Module, Project
from graphbus_core.commit.landing.interference.uses import Use, iter_uses, resolve
from graphbus_core.sessions.team.symbol_changes import read_symbols

MAX_USES = 2_000  # of one symbol


@dataclass(frozen=True, slots=True)
class Place:
    """Where a symbol is used: file and line, and the definition that it stands in. `how`: called, named, overrides …"""

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


class _LazyModules(Mapping[str, Module]):
    """Modules by path, each parsed when it is first asked for. One that does not parse is not there."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = {path: data for path, data in files.items() if path.endswith((".py", ".pyi"))}
        self._modules: dict[str, Module | None] = {}

    def __getitem__(self, path: str) -> Module:
        if path not in self._modules:
            try:
                self._modules[path] = Module(path, ast.parse(self._files[path]))
            except (SyntaxError, ValueError, RecursionError):
                self._modules[path] = None
        module = self._modules[path]
        if module is None:
            raise KeyError(path)
        return module

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, path: object) -> bool:
        return path in self._files

    def find_with(self, word: str) -> list[str]:
        """The files in which a word stands."""
        pattern = re.compile(rb"\b%s\b" % re.escape(word.encode()))
        return [path for path, data in self._files.items() if pattern.search(data)]


class _Members(dict[str, list[Definition]]):
    """The members of all classes by name; looked for when asked."""

    def __init__(self, modules: _LazyModules) -> None:
        super().__init__()
        self._modules = modules

    def get(self, name: str, default: object = None) -> list[Definition]:
        if name not in self:
            some = Project({})
            some.modules = {p: m for p in self._modules.find_with(name) if (m := self._modules.get(p)) is not None}
            self[name] = some.members.get(name, [])
        return self[name]


class Usage(Project):
    """The definitions of a project's files, and who uses them."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.lazy = _LazyModules(files)
        self.modules = self.lazy  # type: ignore[assignment]
        self._found: dict[tuple[str, int, str], str | None] = {}

    @cached_property
    def members(self) -> dict[str, list[Definition]]:
        return _Members(self.lazy)

    def find_module(self, path: str, level: int, dotted: str) -> str | None:
        key = (path.rpartition("/")[0] if level else "", level, dotted)
        if key not in self._found:
            self._found[key] = super().find_module(path, level, dotted)
        return self._found[key]

    # ---- symbols

    def find_symbol(self, path: str, name: str) -> Definition | None:
        """The definition of a qualified name in a file."""
        module = self.modules.get(path)
        node = read_symbols(module.tree).get(name) if module else None
        if module is None or node is None:
            return None
        owner = read_symbols(module.tree).get(name.rpartition(".")[0])
        return Definition(path, name, node, owner if isinstance(owner, ast.ClassDef) else None)

    def find_candidates(self, name: str) -> list[str]:
        """Every `FILE::NAME` that a bare or dotted name may mean."""
        last = name.rpartition(".")[2]
        found = []
        for path in self.lazy.find_with(last):
            module = self.modules.get(path)
            dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            for symbol in read_symbols(module.tree) if module else ():
                if symbol == name or f".{dotted}.{symbol}".endswith(f".{name}"):
                    found.append(f"{path}::{symbol}")
        return found

    # ---- uses

    def find_uses(self, path: str, name: str) -> list[Place]:
        """Every place that uses a symbol, its own body aside; bounded."""
        target = self.find_symbol(path, name)
        if target is None:
            return []
        word = name.rpartition(".")[2]
        words = {word}
        if word == "__init__" and target.owner is not None:
            words |= {target.owner.name} | set(
                self._list_heirs(Definition(path, name.rpartition(".")[0], target.owner))
            )
        places: dict[tuple[str, int, str], Place] = {}
        for file in dict.fromkeys(f for w in sorted(words) for f in self.lazy.find_with(w)):
            for use in self._iter_uses(file):
                how = self._describe_use(use, target, words)
                if how and not _is_inside(use, target):
                    place = Place(use.path, use.line, _name_scope(use), how, use.node)
                    places.setdefault((place.path, place.line, place.scope), place)
        if target.owner is not None:
            places |= {(p.path, p.line, p.scope): p for p in self._find_overridden(target)}
        return list(places.values())[:MAX_USES]

    def find_reliance(self, path: str, name: str) -> Iterator[tuple[str, str]]:
        """Each symbol that a definition relies on, with the place; those of itself aside."""
        target = self.find_symbol(path, name)
        if target is None:
            return
        first, last = target.line, getattr(target.node, "end_lineno", target.line)
        for use in self._iter_uses(path):
            if not first <= use.line <= last:
                continue
            for meaning in self._resolve(use):
                if (meaning.path, meaning.name) != (path, name) and not meaning.name.startswith(f"{name}."):
                    yield f"{meaning.path}::{meaning.name}", f"{path}:{use.line}"

    def find_reliance_at_top(self, path: str) -> Iterator[tuple[Use, tuple[str, str]]]:
        """Each symbol that statements of a module itself rely on, imports aside, with the place."""
        for use in self._iter_uses(path):
            if use.scope == "module" and not isinstance(use.node, ast.ImportFrom | Function | ast.ClassDef):
                for meaning in self._resolve(use):
                    yield use, (f"{meaning.path}::{meaning.name}", f"{path}:{use.line}")

    def _iter_uses(self, path: str) -> list[Use]:
        cache: dict[str, list[Use]] = self.__dict__.setdefault("_uses", {})
        if path not in cache:
            cache[path] = list(iter_uses(self, path))
        return cache[path]

    def _describe_use(self, use: Use, target: Definition, words: set[str]) -> str:
        """How a place uses the target; "" where it does not."""
        if not words.intersection(_read_words(use.node)):
            return ""
        if any(_is_same(meaning, target) for meaning in self._resolve(use)):
            match use.node:
                case ast.Call():
                    return "calls it"
                case ast.ImportFrom():
                    return "imports it"
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    return "overrides it"
            return "names it"
        return ""

    def _resolve(self, use: Use) -> Iterator[Definition]:
        """What a place means, as far as it is the project's."""
        match use.node:
            case ast.ImportFrom(module=dotted, level=level, names=aliases):
                for alias in aliases:
                    meaning = self.find_imported(use.path, level, dotted or "", alias.name)
                    if isinstance(meaning, Definition):
                        yield meaning
                return
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if use.owner is not None:
                    owner = Definition(use.path, _name_owner(use), use.owner)
                    meaning = self.find_member(owner, name, inherited=True)
                    if isinstance(meaning, Definition):
                        yield meaning
                return
            case ast.ClassDef():
                return
        meaning = resolve(self, use)
        if not isinstance(meaning, Definition):
            return
        yield meaning
        if use.is_called and isinstance(meaning.node, ast.ClassDef):
            init = self.find_member(meaning, "__init__")
            if isinstance(init, Definition):
                yield init

    def _list_heirs(self, owner: Definition) -> Iterator[str]:
        """The names of the classes below a class."""
        waiting, seen = [owner], {(owner.path, owner.name)}
        while waiting:
            base = waiting.pop()
            for path in self.lazy.find_with(base.name.rpartition(".")[2]):
                module = self.modules.get(path)
                for name, node in read_symbols(module.tree).items() if module else ():
                    if not isinstance(node, ast.ClassDef) or (path, name) in seen:
                        continue
                    if any(_is_same(self.find_class(path, b), base) for b in node.bases):
                        seen.add((path, name))
                        waiting.append(Definition(path, name, node))
                        yield node.name

    def _find_overridden(self, target: Definition) -> Iterator[Place]:
        owner = Definition(target.path, target.name.rpartition(".")[0], target.owner or target.node)
        word = target.name.rpartition(".")[2]
        meaning = self.find_member(owner, word, inherited=True)
        if isinstance(meaning, Definition) and word != "__init__":
            yield Place(meaning.path, meaning.line, meaning.name, "is overridden by it", meaning.node)


def _is_same(meaning: object, target: Definition) -> bool:
    return isinstance(meaning, Definition) and (
        meaning.node is target.node or (meaning.path, meaning.name) == (target.path, target.name)
    )


def _is_inside(use: Use, target: Definition) -> bool:
    return (
        use.path == target.path
        and target.line <= use.line <= getattr(target.node, "end_lineno", target.line)
        and (use.node is target.node or use.scope == target.name or use.scope.startswith(f"{target.name}."))
    )


def _read_words(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(func=func):
            yield from _read_words(func)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.ImportFrom(names=aliases):
            yield from (alias.name for alias in aliases)


def _name_scope(use: Use) -> str:
    """The innermost definition that a use stands in; a method stands for itself."""
    scope = "" if use.scope == "module" else use.scope
    if isinstance(use.node, Function):
        return f"{scope}.{use.node.name}" if scope else use.node.name
    return scope


def _name_owner(use: Use) -> str:
    return use.scope if use.owner is not None and use.scope != "module" else use.owner.name if use.owner else ""
