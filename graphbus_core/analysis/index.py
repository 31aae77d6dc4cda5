"""The project's files by the names their imports use, and what a name in one of them leads to."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from graphbus_core.analysis.expressions import ANY
from graphbus_core.analysis.files import ProjectFiles
from graphbus_core.analysis.values import Attr, Class, Const, Function, Global, Param, Store, Values
from graphbus_core.module_origin import is_ours, is_standard

MAX_STEPS = 40  # aliases of aliases, re-exports of re-exports
_SET = re.compile(rb"\.(\w+)\s*(?:=(?!=)|:|,)|\bsetattr\b|__setattr__|\bsetitem\b|\bpatch\b")
_PUT = re.compile(
    rb"\.(?:append|appendleft|add|insert|put|put_nowait|setdefault|update|extend|extendleft|dict)\(|\]\s*=(?!=)"
)
MAX_WAYS = 4  # imports that bind one name


@dataclass(frozen=True, slots=True)
class ClassRef:
    """A class itself."""

    path: str
    name: str


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the project."""

    path: str
    name: str


@dataclass(frozen=True, slots=True)
class SuperRef:
    """`super()` in a class: what its bases have."""

    path: str
    name: str


@dataclass(frozen=True, slots=True)
class FunctionRef:
    """A function; `on` is the class of the object or class it was looked up on."""

    path: str
    name: str
    on: ClassRef | Instance | None = None


@dataclass(frozen=True, slots=True)
class ModuleRef:
    """A module or package of the project, by its dotted name, as an import in a file means it."""

    name: str
    seen_from: str = ""


@dataclass(frozen=True, slots=True)
class ExternalRef:
    """Something that is not the project's: a library's, a builtin, a literal. `name` is dotted where it is known."""

    name: str


@dataclass(frozen=True, slots=True)
class Container:
    """A container of such elements."""

    elements: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Nobody can tell; `why` says so, with the line where there is one."""

    why: str


Kind: TypeAlias = "ClassRef | Instance | SuperRef | FunctionRef | ModuleRef | ExternalRef | Container | Unresolved"
Family: TypeAlias = "tuple[tuple[str, str] | None, ...]"
LookupResult: TypeAlias = "Kind | tuple[str, Values]"  # a variable: its file and what it may be


class Index:
    """Files, modules and names."""

    def __init__(self, facts: ProjectFiles) -> None:
        self.facts = facts
        self._set: dict[bytes, list[str]] | None = None  # words that attributes are set by: the files
        self._puts: dict[str, list[tuple[str, Store]]] | None = None
        self._stores: dict[str, list[tuple[str, Store]]] = {}
        self._families: dict[tuple[str, str], tuple[Family, frozenset[str] | None]] = {}

    def look_up(self, path: str, name: str, steps: int = 0) -> LookupResult | None:
        """What a name of a file leads to; None for one that is not there and is not a builtin either."""
        if steps > MAX_STEPS:
            return None
        facts = self.facts.get(path)
        if facts is None:
            return None
        if name in facts.again:
            return None
        if name in facts.classes:
            return self._resolve_only(ClassRef(path, name), path, name, steps)
        if name in facts.functions:
            return self._resolve_only(FunctionRef(path, name), path, name, steps)
        if facts.variables.get(name):
            own = path, facts.variables[name]
            is_none = all(isinstance(v, Const) and v.value is None for v in own[1])  # `try: import x` else None
            return self._resolve_only(None if is_none and name in facts.imports else own, path, name, steps)
        if name in facts.imports:
            return self._resolve_only(None, path, name, steps)
        for module in facts.stars:
            target = self.facts.find_module(module, path)
            if target and (resolved := self.look_up(target, name, steps + 1)) is not None:
                return resolved
        return ExternalRef(f"builtins.{name}") if hasattr(builtins, name) else None

    def _resolve_only(self, own: LookupResult | None, path: str, name: str, steps: int) -> LookupResult | None:
        """The one thing that a name means, bound here and imported: None for two, one of them the project's."""
        imports = self.facts[path].imports.get(name, [])
        if len(imports) > MAX_WAYS:
            return None
        ways = 1 if len(imports) < 2 else MAX_STEPS // MAX_WAYS  # ways multiply: fewer steps are left to each
        candidates = [] if own is None else [own]
        for module, attribute in imports:
            candidate = self._resolve_import(path, module, attribute, steps + ways)
            if candidate is not None and candidate not in candidates:
                candidates.append(candidate)
        return (
            candidates[0]
            if len(candidates) == 1
            or (candidates and all(isinstance(candidate, ExternalRef) for candidate in candidates))
            else None
        )

    def _resolve_import(self, path: str, module: str, attribute: str | None, steps: int) -> LookupResult | None:
        target = self.facts.find_module(module, path)
        if attribute is None:
            return ModuleRef(module, path) if target or self._is_package(module, path) else ExternalRef(module)
        resolved = self.look_up(target, attribute, steps + 1) if target is not None else None
        if resolved is not None and resolved != ExternalRef(f"builtins.{attribute}"):
            return resolved
        whole = f"{module}.{attribute}" if module else attribute
        if self.facts.find_module(whole, path) or (not target and self._is_package(whole, path)):
            return ModuleRef(whole, path)
        return None if target else ExternalRef(whole)

    def _is_package(self, name: str, path: str) -> bool:
        """A folder of the project without `__init__.py`, as an import in a file means it."""
        return not is_standard(name) and self.facts.is_folder(name, path)

    def look_up_member(self, module: ModuleRef, name: str, steps: int = 0) -> LookupResult | None:
        """`module.name`."""
        return self._resolve_import(module.seen_from, module.name, name, steps)

    def find_stores(self, name: str) -> list[tuple[str, Store]]:
        """Where an attribute of that name is set on something that is not `self`, each with its file."""
        if self._set is None:
            self._set = {}
            for path in self.facts:
                for word in {*_SET.findall(self.facts.read_content(path))}:
                    self._set.setdefault(word, []).append(path)
        if name not in self._stores:
            paths = dict.fromkeys([*self._set.get(name.encode(), ()), *self._set.get(b"", ())])
            self._stores[name] = [
                (path, store) for path in paths for store in self.facts[path].stores if store.key in (name, ANY)
            ]
        return self._stores[name]

    def find_puts(self, name: str) -> list[tuple[str, Store]]:
        """Where an element is put into what goes by that name, each with its file; under "" into a parameter."""
        if self._puts is None:
            self._puts = {}
            for path in self.facts:
                if not _PUT.search(self.facts.read_content(path)):
                    continue
                for store in self.facts[path].puts:
                    if any(isinstance(v, Param) for v in store.of):
                        self._puts.setdefault("", []).append((path, store))
                for store in (*self.facts[path].puts, *self.facts[path].stores):
                    for word in {v.name for v in store.of if isinstance(v, Attr | Global)}:
                        self._puts.setdefault(word, []).append((path, store))
        return self._puts.get(name, [])

    # ---- classes

    def find_class(self, path: str, name: str) -> Class | None:
        """A class by file and qualified name."""
        facts = self.facts.get(path)
        return facts.classes.get(name) if facts else None

    def find_function(self, code: FunctionRef) -> Function | None:
        """The function that a `FunctionRef` names."""
        facts = self.facts.get(code.path)
        return facts.functions.get(code.name) if facts else None

    def find_fixture(self, path: str, function: str, name: str) -> FunctionRef | None:
        """The pytest fixture that a test's parameter names: of its own file, or of a conftest.py above it."""
        last = function.rpartition(".")[2]
        own = self.facts[path].functions[function]
        if not last.startswith("test") and not _is_fixture(own):
            return None
        above = _iter_parents(path.rpartition("/")[0])
        for where in (path, *(f"{base}/conftest.py" if base else "conftest.py" for base in above)):
            facts = self.facts.get(where)
            candidate = facts.functions.get(name) if facts is not None else None
            if candidate is not None and _is_fixture(candidate) and (where, name) != (path, function):
                return FunctionRef(where, name)
        return None

    def find_family(self, path: str, name: str) -> Family:
        """A class and its bases, nearest first; None for a base that is not the project's (GraphBusNode left out)."""
        key, reads = (path, name), self.facts.reads
        cached = self._families.get(key)
        if cached is not None:
            reads.add_reads(cached[1])
            return cached[0]
        self._families[key] = ((key,), None)  # a class that is its own base ends here
        reads.begin()
        # The last of several mentions counts: a base that two classes share stands behind both, as Python has it.
        lineage = reversed(list(self._iter_lineage(path, name)))
        ancestors = tuple(reversed(dict.fromkeys(lineage)))
        self._families[key] = (ancestors, reads.end())
        return ancestors

    def iter_classes(self, path: str, name: str) -> Iterator[tuple[str, Class]]:
        """Those of a class's family that the project has, nearest first, each with its file."""
        for class_key in self.find_family(path, name):
            if class_key is not None and (cls := self.find_class(*class_key)) is not None:
                yield class_key[0], cls

    def _iter_lineage(self, path: str, name: str) -> Iterator[tuple[str, str] | None]:
        yield path, name
        cls = self.find_class(path, name)
        for base in cls.bases if cls else ():
            resolved = self.look_up_dotted(path, base.partition("[")[0])
            if isinstance(resolved, ClassRef):
                yield from self.find_family(resolved.path, resolved.name)
            elif not _is_empty_base(resolved.name if isinstance(resolved, ExternalRef) else base):
                yield None

    def look_up_dotted(self, path: str, name: str) -> LookupResult | None:
        """What `a.b.c` leads to in a file, classes and modules only."""
        head, *rest = name.split(".")
        resolved = self.look_up(path, head)
        for word in rest:
            match resolved:
                case ModuleRef():
                    resolved = self.look_up_member(resolved, word)
                case ExternalRef(name=dotted):
                    resolved = ExternalRef(f"{dotted}.{word}")
                case ClassRef(path=class_path, name=cls) if (
                    inner := self.find_class(class_path, cls)
                ) and word in inner.inner:
                    resolved = ClassRef(class_path, inner.inner[word])
                case _:
                    return None
        return resolved


def _is_empty_base(name: str) -> bool:
    last = name.partition("[")[0].rpartition(".")[2]
    # GraphBusNode is known by its name alone: `from graphbus_core import *` does not say where it comes from.
    return is_ours(name) or last in ("GraphBusNode", "object", "ABC", "Generic", "Protocol", "Enum")


def _is_fixture(function: Function) -> bool:
    return any(d.rpartition(".")[2] == "fixture" for d in function.decorators)


def _iter_parents(folder: str) -> Iterator[str]:
    """A folder and each one above it, the root (an empty name) last."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def list_element_kinds(kind: Kind) -> tuple[Kind, ...]:
    match kind:
        case Container(elements=elements):
            return elements or (Unresolved("an element of a container of anything"),)
        case ExternalRef():
            return (ExternalRef(f"{kind.name}[]"),)
        case Instance():
            return (Unresolved(f"an item of `{kind.name}`"),)
    return (kind,)


def list_computed_kinds(kind: Kind, where: str) -> tuple[Kind, ...]:
    """What an operator or a format makes of it: `path / "x"` is a path; a project's `__add__` gives anything."""
    return (
        (kind,)
        if isinstance(kind, ExternalRef | Container | Unresolved)
        else (Unresolved(f"{where}: made by an operator"),)
    )


def select_project_kinds(kinds: Iterable[Kind]) -> Iterator[Kind]:
    """The project's objects and classes, and the containers that hold some, with nothing else in them."""
    for kind in kinds:
        if isinstance(kind, Instance | ClassRef):
            yield kind
        elif isinstance(kind, Container) and (inner := tuple(select_project_kinds(kind.elements))):
            yield Container(inner)
