"""The project's files by the names their imports use, and what a name in one of them leads to."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from graphbus_core.build.understand.text.files import Texts
from graphbus_core.build.understand.text.noted import ANY
from graphbus_core.build.understand.text.values import Attr, Class, Const, Function, Global, Param, Store, Values
from graphbus_core.origin import is_ours, is_standard

MAX_STEPS = 40  # aliases of aliases, re-exports of re-exports
_SET = re.compile(rb"\.(\w+)\s*(?:=(?!=)|:|,)|\bsetattr\b|__setattr__|\bsetitem\b|\bpatch\b")
_PUT = re.compile(
    rb"\.(?:append|appendleft|add|insert|put|put_nowait|setdefault|update|extend|extendleft|dict)\(|\]\s*=(?!=)"
)
MAX_WAYS = 4  # imports that bind one name


@dataclass(frozen=True, slots=True)
class Type:
    """A class itself."""

    path: str
    name: str


@dataclass(frozen=True, slots=True)
class Thing:
    """An object of a class of the project."""

    path: str
    name: str


@dataclass(frozen=True, slots=True)
class Above:
    """`super()` in a class: what its bases have."""

    path: str
    name: str


@dataclass(frozen=True, slots=True)
class Code:
    """A function; `on` is the class of the object or class it was looked up on."""

    path: str
    name: str
    on: Type | Thing | None = None


@dataclass(frozen=True, slots=True)
class Module:
    """A module or package of the project, by its dotted name, as an import in a file means it."""

    name: str
    seen_from: str = ""


@dataclass(frozen=True, slots=True)
class Outside:
    """Something that is not the project's: a library's, a builtin, a literal. `name` is dotted where it is known."""

    name: str


@dataclass(frozen=True, slots=True)
class Box:
    """A container of such elements."""

    elements: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Dark:
    """Nobody can tell; `why` says so, with the line where there is one."""

    why: str


Kind: TypeAlias = "Type | Thing | Above | Code | Module | Outside | Box | Dark"
Family: TypeAlias = "tuple[tuple[str, str] | None, ...]"
Named: TypeAlias = "Kind | tuple[str, Values]"  # a variable: its file and what it may be


class Index:
    """Files, modules and names."""

    def __init__(self, facts: Texts) -> None:
        self.facts = facts
        self._set: dict[bytes, list[str]] | None = None  # words that attributes are set by: the files
        self._puts: dict[str, list[tuple[str, Store]]] | None = None
        self._stores: dict[str, list[tuple[str, Store]]] = {}
        self._families: dict[tuple[str, str], tuple[Family, frozenset[str] | None]] = {}

    def look_up(self, path: str, name: str, steps: int = 0) -> Named | None:
        """What a name of a file leads to; None for one that is not there and is not a builtin either."""
        if steps > MAX_STEPS:
            return None
        facts = self.facts.get(path)
        if facts is None:
            return None
        if name in facts.again:
            return None
        if name in facts.classes:
            return self._only(Type(path, name), path, name, steps)
        if name in facts.functions:
            return self._only(Code(path, name), path, name, steps)
        if facts.variables.get(name):
            own = path, facts.variables[name]
            is_none = all(isinstance(v, Const) and v.value is None for v in own[1])  # `try: import x` else None
            return self._only(None if is_none and name in facts.imports else own, path, name, steps)
        if name in facts.imports:
            return self._only(None, path, name, steps)
        for module in facts.stars:
            target = self.facts.module(module, path)
            if target and (found := self.look_up(target, name, steps + 1)) is not None:
                return found
        return Outside(f"builtins.{name}") if hasattr(builtins, name) else None

    def _only(self, own: Named | None, path: str, name: str, steps: int) -> Named | None:
        """The one thing that a name means, bound here and imported: None for two, one of them the project's."""
        imports = self.facts[path].imports.get(name, [])
        if len(imports) > MAX_WAYS:
            return None
        ways = 1 if len(imports) < 2 else MAX_STEPS // MAX_WAYS  # ways multiply: fewer steps are left to each
        found = [] if own is None else [own]
        for module, attribute in imports:
            one = self._imported(path, module, attribute, steps + ways)
            if one is not None and one not in found:
                found.append(one)
        return found[0] if len(found) == 1 or (found and all(isinstance(one, Outside) for one in found)) else None

    def _imported(self, path: str, module: str, attribute: str | None, steps: int) -> Named | None:
        target = self.facts.module(module, path)
        if attribute is None:
            return Module(module, path) if target or self._is_package(module, path) else Outside(module)
        found = self.look_up(target, attribute, steps + 1) if target is not None else None
        if found is not None and found != Outside(f"builtins.{attribute}"):
            return found
        whole = f"{module}.{attribute}" if module else attribute
        if self.facts.module(whole, path) or (not target and self._is_package(whole, path)):
            return Module(whole, path)
        return None if target else Outside(whole)

    def _is_package(self, name: str, path: str) -> bool:
        """A folder of the project without `__init__.py`, as an import in a file means it."""
        return not is_standard(name) and self.facts.folder(name, path)

    def inside(self, module: Module, name: str, steps: int = 0) -> Named | None:
        """`module.name`."""
        return self._imported(module.seen_from, module.name, name, steps)

    def stores(self, name: str) -> list[tuple[str, Store]]:
        """Where an attribute of that name is set on something that is not `self`, each with its file."""
        if self._set is None:
            self._set = {}
            for path in self.facts:
                for word in {*_SET.findall(self.facts.content(path))}:
                    self._set.setdefault(word, []).append(path)
        if name not in self._stores:
            paths = dict.fromkeys([*self._set.get(name.encode(), ()), *self._set.get(b"", ())])
            self._stores[name] = [
                (path, one) for path in paths for one in self.facts[path].stores if one.key in (name, ANY)
            ]
        return self._stores[name]

    def puts(self, name: str) -> list[tuple[str, Store]]:
        """Where an element is put into what goes by that name, each with its file; under "" into a parameter."""
        if self._puts is None:
            self._puts = {}
            for path in self.facts:
                if not _PUT.search(self.facts.content(path)):
                    continue
                for one in self.facts[path].puts:
                    if any(isinstance(v, Param) for v in one.of):
                        self._puts.setdefault("", []).append((path, one))
                for one in (*self.facts[path].puts, *self.facts[path].stores):
                    for word in {v.name for v in one.of if isinstance(v, Attr | Global)}:
                        self._puts.setdefault(word, []).append((path, one))
        return self._puts.get(name, [])

    # ---- classes

    def cls(self, path: str, name: str) -> Class | None:
        """A class by file and qualified name."""
        facts = self.facts.get(path)
        return facts.classes.get(name) if facts else None

    def function(self, code: Code) -> Function | None:
        """The function that a `Code` names."""
        facts = self.facts.get(code.path)
        return facts.functions.get(code.name) if facts else None

    def fixture(self, path: str, function: str, name: str) -> Code | None:
        """The pytest fixture that a test's parameter names: of its own file, or of a conftest.py above it."""
        last = function.rpartition(".")[2]
        own = self.facts[path].functions[function]
        if not last.startswith("test") and not _is_fixture(own):
            return None
        above = _above(path.rpartition("/")[0])
        for where in (path, *(f"{base}/conftest.py" if base else "conftest.py" for base in above)):
            facts = self.facts.get(where)
            at = facts.functions.get(name) if facts is not None else None
            if at is not None and _is_fixture(at) and (where, name) != (path, function):
                return Code(where, name)
        return None

    def family(self, path: str, name: str) -> Family:
        """A class and its bases, nearest first; None for a base that is not the project's (GraphBusNode left out)."""
        key, reads = (path, name), self.facts.reads
        known = self._families.get(key)
        if known is not None:
            reads.rest(known[1])
            return known[0]
        self._families[key] = ((key,), None)  # a class that is its own base ends here
        reads.begin()
        # The last of several mentions counts: a base that two classes share stands behind both, as Python has it.
        lineage = reversed(list(self._lineage(path, name)))
        found = tuple(reversed(dict.fromkeys(lineage)))
        self._families[key] = (found, reads.end())
        return found

    def classes(self, path: str, name: str) -> Iterator[tuple[str, Class]]:
        """Those of a class's family that the project has, nearest first, each with its file."""
        for at in self.family(path, name):
            if at is not None and (cls := self.cls(*at)) is not None:
                yield at[0], cls

    def _lineage(self, path: str, name: str) -> Iterator[tuple[str, str] | None]:
        yield path, name
        cls = self.cls(path, name)
        for base in cls.bases if cls else ():
            found = self.dotted(path, base.partition("[")[0])
            if isinstance(found, Type):
                yield from self.family(found.path, found.name)
            elif not _empty_base(found.name if isinstance(found, Outside) else base):
                yield None

    def dotted(self, path: str, name: str) -> Named | None:
        """What `a.b.c` leads to in a file, classes and modules only."""
        head, *rest = name.split(".")
        found = self.look_up(path, head)
        for word in rest:
            match found:
                case Module():
                    found = self.inside(found, word)
                case Outside(name=dotted):
                    found = Outside(f"{dotted}.{word}")
                case Type(path=at, name=cls) if (inner := self.cls(at, cls)) and word in inner.inner:
                    found = Type(at, inner.inner[word])
                case _:
                    return None
        return found


def _empty_base(name: str) -> bool:
    last = name.partition("[")[0].rpartition(".")[2]
    # GraphBusNode is known by its name alone: `from graphbus_core import *` does not say where it comes from.
    return is_ours(name) or last in ("GraphBusNode", "object", "ABC", "Generic", "Protocol", "Enum")


def _is_fixture(function: Function) -> bool:
    return any(d.rpartition(".")[2] == "fixture" for d in function.decorators)


def _above(folder: str) -> Iterator[str]:
    """A folder and each one above it, the root (an empty name) last."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def element_of(kind: Kind) -> tuple[Kind, ...]:
    match kind:
        case Box(elements=elements):
            return elements or (Dark("an element of a container of anything"),)
        case Outside():
            return (Outside(f"{kind.name}[]"),)
        case Thing():
            return (Dark(f"an item of `{kind.name}`"),)
    return (kind,)


def computed_of(kind: Kind, where: str) -> tuple[Kind, ...]:
    """What an operator or a format makes of it: `path / "x"` is a path; a project's `__add__` gives anything."""
    return (kind,) if isinstance(kind, Outside | Box | Dark) else (Dark(f"{where}: made by an operator"),)


def of_the_project(kinds: Iterable[Kind]) -> Iterator[Kind]:
    """The project's objects and classes, and the containers that hold some, with nothing else in them."""
    for kind in kinds:
        if isinstance(kind, Thing | Type):
            yield kind
        elif isinstance(kind, Box) and (inner := tuple(of_the_project(kind.elements))):
            yield Box(inner)
