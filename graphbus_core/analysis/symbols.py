"""What a place means: the symbols of the project that a name, an attribute, an import or a method leads to.

Three ways to tell what an attribute is of, in this order. What the text says of the receiver: `self`, a module, a
hint, what was assigned, what calls give. What the type checker says, where one is installed. And which classes of the
project have every attribute that the code around asks of that receiver: if they share one definition, it is that.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from graphbus_core.analysis.callers import Callers
from graphbus_core.analysis.file_reader import read_tree
from graphbus_core.analysis.files import ProjectFiles, derive_package
from graphbus_core.analysis.index import ClassRef, Index, Instance, Kind, ModuleRef, SuperRef, Unresolved
from graphbus_core.analysis.newer_syntax import parse_source
from graphbus_core.analysis.objects import ObjectResolver
from graphbus_core.analysis.references import Reference, read_references
from graphbus_core.analysis.scan.namespaces import resolve_import
from graphbus_core.analysis.type_checker.port import Engine, EngineFailed, Place
from graphbus_core.analysis.values import Class, Facts, Values

_NOWHERE = Path("/nonexistent")  # every text is given
MAX_STEPS = 12  # of imports that hand a name on
MAX_ASKED = 3_000  # places that the type checker is asked about, of one project
_PLAIN_TYPES: tuple[type, ...] = (
    str, bytes, bytearray, list, dict, set, frozenset, tuple, int, float, complex, object, type, memoryview, range,
    BaseException, OSError, type(iter([])), type(open), type(re.compile("")), type(re.match("", "")),
)  # fmt: skip


class Symbol(NamedTuple):
    """A definition: its file, and its qualified name there; an empty name is the module itself."""

    path: str
    name: str

    def __str__(self) -> str:
        return f"{self.path}::{self.name}"


class TextFiles(ProjectFiles):
    """Files that are given as texts; each is parsed once, and its expressions keep what they may be."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        super().__init__(root=_NOWHERE, over=texts)
        self._read: dict[str, tuple[ast.Module, Facts, dict[int, Values]]] = {}

    @property
    def paths(self) -> Mapping[str, None]:
        """The files that were given."""
        if self._paths is None:
            self._paths = dict.fromkeys(sorted(p for p in self._over if p.endswith((".py", ".pyi"))))
        return self._paths

    def __getitem__(self, path: str) -> Facts:
        self.reads.now.add(path)
        return self._read_whole(path)[1]

    def read_tree(self, path: str) -> ast.Module:
        """The syntax tree of a file; an empty one where it does not parse."""
        return self._read_whole(path)[0]

    def read_values(self, path: str) -> Mapping[int, Values]:
        """What each expression of a file may be, by the id of its node."""
        return self._read_whole(path)[2]

    def _read_whole(self, path: str) -> tuple[ast.Module, Facts, dict[int, Values]]:
        if path not in self._read:
            if path not in self.paths:
                raise KeyError(path)
            try:
                tree = parse_source(self.read_content(path), path)
                values: dict[int, Values] = {}
                self._read[path] = tree, read_tree(path, tree, derive_package(path), values), values
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self._read[path] = ast.Module([], []), Facts(path), {}
        return self._read[path]

    def find_with(self, words: Iterable[str]) -> list[str]:
        """The files in which one of these words stands."""
        pattern = re.compile(rb"\b(?:%s)\b" % b"|".join(re.escape(w.encode()) for w in sorted(words)))
        return [path for path in self.paths if pattern.search(self.read_content(path))]


class SymbolResolver:
    """Looks references up in a project. `engine`, where given, is asked what our own reading cannot tell."""

    def __init__(self, files: TextFiles, engine: Engine | None = None) -> None:
        self.files, self._engine = files, engine
        self.index = Index(files)
        self._objects = ObjectResolver(self.index)
        self._callers = Callers(self.index, self._objects)
        self._references: dict[str, list[Reference]] = {}
        self._asked = 0
        self._definitions: dict[str, dict[int, list[str]]] = {}
        self._named: dict[str, list[tuple[str, str]]] = {}
        self._definers: dict[str, list[tuple[str, str]]] = {}
        self._attributes: dict[tuple[str, str], tuple[frozenset[str], bool]] = {}
        self._wanted: dict[str, dict[tuple[str, str], set[str]]] = {}
        self._heirs: dict[tuple[str, str], list[tuple[str, str]]] | None = None
        self._resolved: dict[int, tuple[Symbol, ...]] = {}

    def list_references(self, path: str) -> list[Reference]:
        """Every reference of a file."""
        if path not in self._references:
            self._references[path] = read_references(path, self.files.read_tree(path))
        return self._references[path]

    def resolve(self, reference: Reference) -> tuple[Symbol, ...]:
        """The symbols that a place may mean; nothing where they are not the project's, or nobody can tell."""
        key = id(reference)
        if key not in self._resolved:
            self._resolved[key] = tuple(dict.fromkeys(self._resolve(reference)))
        return self._resolved[key]

    def _resolve(self, reference: Reference) -> Iterator[Symbol]:
        match reference.node:
            case ast.ImportFrom() as statement:
                yield from self._find_imported(reference.path, statement, reference.word)
            case ast.Name():
                yield from self._resolve_name(reference)
            case ast.Attribute() as node:
                yield from self._resolve_attribute(reference, node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self._find_overridden(reference)

    # ---- names

    def _resolve_name(self, reference: Reference) -> Iterator[Symbol]:
        word = reference.word
        for depth, frame in enumerate(reversed(reference.frames)):
            if frame.is_class and depth:
                continue
            if word in frame.imports:
                statement, source = frame.imports[word]
                if isinstance(statement, ast.ImportFrom):
                    yield from self._find_imported(reference.path, statement, source)
                return
            if word in frame.names:
                if frame.is_class:
                    yield Symbol(reference.path, f"{frame.name}.{word}")
                return
        yield from self.look_up(reference.path, word)

    def look_up(self, path: str, name: str, steps: int = 0) -> Iterator[Symbol]:
        """What a name at the top of a file may mean: what is defined there, and what imports bring under it."""
        facts = self.files.get(path)
        if facts is None or steps > MAX_STEPS:
            return
        is_own = name in facts.classes or name in facts.functions or name in facts.variables
        if is_own:
            yield Symbol(path, name)
        for module, attribute in facts.imports.get(name, ()):
            yield from self._look_up_import(path, module, attribute, steps + 1)
        if not is_own and name not in facts.imports:
            for module in facts.stars:
                yield from self._look_up_import(path, module, name, steps + 1)

    def _look_up_import(self, path: str, module: str, attribute: str | None, steps: int) -> Iterator[Symbol]:
        target = self.files.find_module(module, path)
        if attribute is None:
            if target is not None:
                yield Symbol(target, "")
            return
        found = [*self.look_up(target, attribute, steps)] if target is not None and target != path else []
        if not found:
            inner = self.files.find_module(f"{module}.{attribute}" if module else attribute, path)
            found = [Symbol(inner, "")] if inner is not None else []
        yield from found

    def _find_imported(self, path: str, statement: ast.ImportFrom, name: str) -> Iterator[Symbol]:
        module = resolve_import(statement, derive_package(path))
        yield from self._look_up_import(path, module, name, 0)

    # ---- members of classes

    def find_member(self, cls: tuple[str, str], word: str, skip: int = 0) -> Symbol | None:
        """The definition that a class has under a name, its own or the nearest base's."""
        return next(self._iter_members(cls, word, skip), None)

    def _iter_members(self, cls: tuple[str, str], word: str, skip: int = 0) -> Iterator[Symbol]:
        for key in self.index.find_family(*cls)[skip:]:
            facts = self.index.find_class(*key) if key is not None else None
            if key is not None and facts is not None and _defines(facts, word):
                yield Symbol(key[0], f"{key[1]}.{word}")

    def list_bases(self, reference: Reference) -> list[tuple[str, str]]:
        """The project's classes that the class around a method comes from."""
        bases: list[tuple[str, str]] = []
        owner = reference.owner
        for base in owner.bases if owner is not None else ():
            expression = base.value if isinstance(base, ast.Subscript) else base
            around = Reference(reference.path, "", expression, _last_word(expression), reference.frames[:-1])
            bases += [(s.path, s.name) for s in self.resolve_class(around)]
        return bases

    def resolve_class(self, reference: Reference) -> list[Symbol]:
        """The classes that an expression names."""
        found = self._resolve(reference)
        return [s for s in found if s.name and self.index.find_class(*s) is not None]

    def _find_overridden(self, reference: Reference) -> Iterator[Symbol]:
        """Every definition of the bases that a method stands in the place of."""
        for base in self.list_bases(reference):
            yield from self._iter_members(base, reference.word)

    # ---- attributes

    def _resolve_attribute(self, reference: Reference, node: ast.Attribute) -> Iterator[Symbol]:
        word = reference.word
        kinds = self._read_kinds(reference, node.value)
        modules = [k for k in kinds if isinstance(k, ModuleRef)]
        if modules:
            for kind in modules:
                yield from self._look_up_import(kind.seen_from, kind.name, word, 0)
            return
        found = [*self._find_in_kinds(reference, node, kinds)]
        if found and _is_own_object(reference, node.value):
            yield from found
            return
        asked = self._ask_engine(reference, node, bool(found))
        if asked is not None:
            yield from asked
        elif found:
            yield from found
        elif not kinds or any(isinstance(k, Unresolved) for k in kinds):
            yield from self._find_by_attributes(reference, node, kinds)

    def _read_kinds(self, reference: Reference, receiver: ast.expr) -> tuple[Kind, ...]:
        if reference.in_text:
            around = Reference(reference.path, "", receiver, _last_word(receiver), reference.frames)
            names = [*self._resolve_name(around)]
            return tuple(self._make_kind(reference.path, symbol) for symbol in names)
        values = self.files.read_values(reference.path).get(id(receiver))
        if values is not None:
            kinds = self._objects.resolve(reference.path, values)
            if any(not isinstance(k, Unresolved) for k in kinds):
                return kinds
        around = Reference(reference.path, reference.scope, receiver, _last_word(receiver), reference.frames)
        named = self._resolve(around) if isinstance(receiver, ast.Name | ast.Attribute) and values is None else ()
        return tuple(self._make_kind(reference.path, symbol) for symbol in named) or (Unresolved("not read"),)

    def _make_kind(self, path: str, symbol: Symbol) -> Kind:
        if not symbol.name:
            dotted = symbol.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            return ModuleRef(dotted, path)
        is_class = self.index.find_class(*symbol) is not None
        return ClassRef(*symbol) if is_class else Unresolved(str(symbol))

    def _find_in_kinds(self, reference: Reference, node: ast.Attribute, kinds: Iterable[Kind]) -> Iterator[Symbol]:
        for kind in kinds:
            match kind:
                case Instance(path=path, name=name) | ClassRef(path=path, name=name):
                    symbol = self.find_member((path, name), reference.word)
                    # A mixin or a template calls what only its heirs have.
                    heirs = [] if symbol else self.list_heirs((path, name))
                    below = [heir for heir in heirs if self.find_member(heir, reference.word)]
                    yield from [symbol] if symbol else self._find_common(below, reference.word)
                case SuperRef(path=path, name=name):
                    symbol = self.find_member((path, name), reference.word, 1)
                    if symbol is not None:
                        yield symbol
        owner = reference.owner
        if isinstance(node.value, ast.Name) and node.value.id == _find_self(reference) and owner is not None:
            yield from self._find_in_local_class(reference)

    def _find_in_local_class(self, reference: Reference) -> Iterator[Symbol]:
        """`self.word` in a class that stands in a function: by the bases that it names."""
        frames = reference.frames
        at = max(i for i, f in enumerate(frames) if f.is_class)
        if not any(not f.is_class for f in frames[:at]) or reference.word in frames[at].names:
            return
        around = Reference(reference.path, "", reference.node, reference.word, frames[: at + 1])
        for base in self.list_bases(around):
            symbol = self.find_member(base, reference.word)
            if symbol is not None:
                yield symbol

    def list_heirs(self, cls: tuple[str, str]) -> list[tuple[str, str]]:
        """The classes that come from a class."""
        if self._heirs is None:
            self._heirs = {}
            for path in self._list_sources(self.files):
                for name in self.files[path].classes:
                    for base in self.index.find_family(path, name)[1:]:
                        if base is not None:
                            self._heirs.setdefault(base, []).append((path, name))
        return self._heirs.get(cls, [])

    # ---- the type checker

    def _ask_engine(self, reference: Reference, node: ast.Attribute, is_known: bool) -> list[Symbol] | None:
        """What the type checker says; None where it cannot tell, or knows it from a stub, which may say less."""
        if self._engine is None or self._asked >= MAX_ASKED or reference.in_text:
            return None
        self._asked += 1
        column = (node.end_col_offset or 0) - len(node.attr.encode())
        try:
            places = self._engine.find_definition(Place(reference.path, node.end_lineno or node.lineno, column))
        except EngineFailed:
            self._engine = None  # it is gone, or too slow: our own reading answers from here on
            return None
        if is_known and any(place.path.endswith(".pyi") and self._find_own(place.path) for place in places):
            return None
        return [*self._read_places(places, node.attr)] if places else None

    def _read_places(self, places: Iterable[Place], word: str) -> Iterator[Symbol]:
        for place in places:
            path = self._find_own(place.path)
            for name in self._read_definitions(place.path).get(place.line, ()) if path is not None else ():
                if name.rpartition(".")[2] == word:
                    yield Symbol(path or "", name)

    def _find_own(self, path: str) -> str | None:
        """The project's own file of a definition: of a stub, the module beside it; of an installed copy, the original.

        Of a copy only the definition's name is looked up, where the lines are the same.
        """
        module = path.removesuffix("i") if path.endswith(".pyi") else path
        if module in self.files.paths:
            return module
        return path if path in self.files.paths else self._find_copied(path)

    def _find_copied(self, path: str) -> str | None:
        """The project's own file where the checker found an installed copy of it."""
        parts = path.partition("/site-packages/")[2]
        return next((p for p in self.files.paths if parts and f"/{p}".endswith(f"/{parts}")), None)

    def _read_definitions(self, path: str) -> dict[int, list[str]]:
        """The qualified names of the definitions in a file, by line."""
        if path not in self._definitions:
            lines: dict[int, list[str]] = {}
            own = path if path in self.files.paths else self._find_copied(path)
            for line, name in _iter_definitions(self.files.read_tree(own), "") if own is not None else ():
                lines.setdefault(line, []).append(name)
            self._definitions[path] = lines
        return self._definitions[path]

    # ---- what only the attributes tell

    def _find_by_attributes(self, reference: Reference, node: ast.Attribute, kinds: Sequence[Kind]) -> Iterator[Symbol]:
        """The one definition that every class shares which has all that is asked of this receiver."""
        wanted = self._list_wanted(reference, node)
        if any(wanted <= set(dir(plain)) for plain in _PLAIN_TYPES):
            return
        classes = [cls for cls in self._list_definers(reference.word) if self._has_all(cls, wanted)]
        found = self._find_common(classes, reference.word)
        if not found:
            named = [cls for cls in self._list_named(_last_word(node.value)) if self._has_all(cls, wanted)]
            found = self._find_common(named, reference.word)
        yield from found

    def _find_common(self, classes: Iterable[tuple[str, str]], word: str) -> list[Symbol]:
        """The definition that all of these classes have under a name, or override."""
        lines = [[*self._iter_members(cls, word)] for cls in classes]
        common = next((s for s in lines[0] if all(s in line for line in lines)), None) if lines else None
        return [common] if common is not None else []

    def _list_wanted(self, reference: Reference, node: ast.Attribute) -> set[str]:
        """Every attribute that is asked of the same receiver in the same function, or of `self.x` in the class."""
        key = _find_receiver_key(reference, node)
        if key is None:
            return {node.attr}
        if reference.path not in self._wanted:
            wanted: dict[tuple[str, str], set[str]] = {}
            for other in self.list_references(reference.path):
                if isinstance(other.node, ast.Attribute) and (its := _find_receiver_key(other, other.node)) is not None:
                    wanted.setdefault(its, set()).add(other.node.attr)
            self._wanted[reference.path] = wanted
        return self._wanted[reference.path].get(key, set()) | {node.attr}

    def _list_definers(self, word: str) -> list[tuple[str, str]]:
        """The classes of the project that define a name."""
        if word not in self._definers:
            self._definers[word] = [
                (path, name)
                for path in self._list_sources(self.files.find_with([word]))
                for name, facts in self.files[path].classes.items()
                if _defines(facts, word)
            ]
        return self._definers[word]

    def _list_named(self, word: str) -> list[tuple[str, str]]:
        """The classes of what goes by that name elsewhere: parameters with a hint, attributes."""
        if word not in self._named:
            kinds: list[Kind] = []
            for path in self._list_sources(self.files.find_with([word])) if word else ():
                facts = self.files[path]
                hints = [p.annotation for f in facts.functions.values() for p in f.parameters if p.name == word]
                hints += [cls.hints.get(word) for cls in facts.classes.values()]
                kinds += [k for hint in hints if hint for k in self._objects.resolve_annotation(path, hint)]
                values = [v for c in facts.classes.values() for v in (c.stored.get(word), c.attributes.get(word)) if v]
                kinds += [k for some in values for k in self._objects.resolve(path, some)]
            classes = [(k.path, k.name) for k in kinds if isinstance(k, Instance | ClassRef)]
            self._named[word] = list(dict.fromkeys(classes))
        return self._named[word]

    def _list_sources(self, paths: Iterable[str]) -> list[str]:
        """Those that are not the stub of a module that is there: it says the same classes once more."""
        return [path for path in paths if not (path.endswith(".pyi") and path[:-1] in self.files.paths)]

    def _has_all(self, cls: tuple[str, str], wanted: set[str]) -> bool:
        """Whether a class, with what comes from it, has every one of these attributes."""
        if cls not in self._attributes:
            names, is_open = set[str](), False
            for key in (*self.index.find_family(*cls), *self.list_heirs(cls)):
                facts = self.index.find_class(*key) if key is not None else None
                if facts is None:
                    is_open = True
                else:
                    names |= {*facts.methods, *facts.attributes, *facts.hints, *facts.stored, *facts.inner}
                    is_open = is_open or "__getattr__" in facts.methods
            self._attributes[cls] = frozenset(names), is_open
        names_of, is_open = self._attributes[cls]
        return is_open or wanted <= names_of | set(dir(object))

    def close(self) -> None:
        """End the type checker."""
        if self._engine is not None:
            with suppress(EngineFailed):
                self._engine.close()


def _defines(facts: Class, word: str) -> bool:
    return any(word in names for names in (facts.methods, facts.attributes, facts.hints, facts.stored, facts.inner))


def _last_word(node: ast.AST) -> str:
    return getattr(node, "id", getattr(node, "attr", ""))


def _find_self(reference: Reference) -> str:
    """The name of the first parameter of the method around."""
    name = ""
    for outer, inner in zip(reference.frames, reference.frames[1:], strict=False):
        if outer.is_class and isinstance(inner.node, ast.FunctionDef | ast.AsyncFunctionDef):
            args = [*inner.node.args.posonlyargs, *inner.node.args.args]
            name = args[0].arg if args else ""
    return name


def _is_own_object(reference: Reference, receiver: ast.expr) -> bool:
    """`self`, `cls` or `super()`: what the text says of it needs no second opinion."""
    match receiver:
        case ast.Name(id=name):
            return name == _find_self(reference)
        case ast.Call(func=ast.Name(id="super")):
            return True
    return False


def _find_receiver_key(reference: Reference, node: ast.Attribute) -> tuple[str, str] | None:
    """What two places have in common that ask the same receiver."""
    match node.value:
        case ast.Name(id=name):
            return (reference.scope, name)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == _find_self(reference):
            owner = next((f.name for f in reversed(reference.frames) if f.is_class), "")
            return (owner, f"{name}.{attribute}")
    return None


def _iter_definitions(node: ast.AST, scope: str) -> Iterator[tuple[int, str]]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                inner = f"{scope}.{name}" if scope else name
                yield child.lineno, inner
                yield from _iter_definitions(child, inner)
            case ast.Name(id=name, ctx=ast.Store()):
                yield child.lineno, f"{scope}.{name}" if scope else name
            case _:
                yield from _iter_definitions(child, scope)
