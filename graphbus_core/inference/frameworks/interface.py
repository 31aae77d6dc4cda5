"""The interface of framework readers: the project's source as they see it, edges and what they could not read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import entry_points
from typing import Protocol

from graphbus_core.analysis.files import derive_module
from graphbus_core.inference.signatures import Signatures
from graphbus_core.inference.source import FunctionNode

GROUP = "graphbus.framework_readers"  # entry points: a class that is a FrameworkReader
MAX_STEPS = 12  # imports of imports


@dataclass(frozen=True)
class Edge:
    """What `producer` gives reaches `consumer`. `carries`: the key, parameter or model; `places`: `file:line`."""

    kind: str
    producer: str
    consumer: str
    carries: str
    places: tuple[str, ...]


@dataclass(frozen=True)
class Unread:
    """A place that hands data over and was not read; `kind` says how it does it."""

    kind: str
    place: str


class FrameworkReader(Protocol):
    """One framework. It reads, and runs nothing."""

    @property
    def packages(self) -> tuple[str, ...]:
        """It is asked only where a file names one of these."""

    def read(self, source: ProjectSource) -> Iterator[Edge | Unread]:
        """Every edge of the framework in the project, and every place that it could not read."""


class ProjectSource:
    """The source of a project: files, functions, and what names lead to."""

    def __init__(self, signatures: Signatures) -> None:
        self._signatures = signatures
        self._texts = signatures.project.texts

    @property
    def paths(self) -> list[str]:
        """Every Python file; tests with them, since they show who calls."""
        return [path for path in self._texts.paths if path.endswith(".py")]

    def parse(self, path: str) -> ast.Module | None:
        """A file's tree; None where it cannot be read."""
        file = self._signatures.sources[path]
        return file.tree if file is not None else None

    def list_functions(self, path: str) -> list[tuple[str, FunctionNode]]:
        """Each function of a file with its qualified name."""
        file = self._signatures.sources[path]
        return list(file.every) if file is not None else []

    def mentions(self, path: str, *words: str) -> bool:
        """Whether one of the words stands in a file: a quick no before a slow look."""
        content = self._texts.read_content(path)
        return any(word.encode() in content for word in words)

    def imports(self, path: str, *packages: str) -> bool:
        """Whether a file imports one of these packages."""
        facts = self._signatures.index.facts[path]
        modules = [module for ways in facts.imports.values() for module, _ in ways]
        return any(module.partition(".")[0] in packages for module in [*modules, *facts.stars])

    def find_library_name(self, path: str, expression: ast.expr) -> str:
        """The dotted name of a library's thing as the file imports it: `fastapi.Depends`; empty for all others."""
        text = _spell(expression)
        head, _, rest = text.partition(".")
        for module, attribute in self._signatures.index.facts[path].imports.get(head, ()):
            return ".".join(part for part in (module, attribute, rest) if part)
        return ""

    def resolve(self, path: str, expression: ast.expr) -> tuple[str, str] | None:
        """The file and name of what an expression names in the project: a function, a class or a variable."""
        text = _spell(expression)
        return self._resolve_name(path, text, 0) if text else None

    def _resolve_name(self, path: str, text: str, steps: int) -> tuple[str, str] | None:
        head, _, rest = text.partition(".")
        file = self._signatures.sources[path]
        if file is None or steps > MAX_STEPS:
            return None
        if text in file.functions or text in file.classes or text in file.variables:
            return path, text
        if head in file.classes or head in file.variables or head in file.functions:
            return None
        for module, attribute in self._signatures.index.facts[path].imports.get(head, ()):
            words = [word for word in (attribute, *rest.split(".")) if word]
            dotted = module
            # As much of the name as is a module; what is left is a name in it.
            while words and self._texts.find_module(f"{dotted}.{words[0]}", path) is not None:
                dotted = f"{dotted}.{words.pop(0)}"
            target = self._texts.find_module(dotted, path)
            if target is not None and words and target != path:
                return self._resolve_name(target, ".".join(words), steps + 1)
        return None

    def find_value(self, found: tuple[str, str] | None) -> ast.expr | None:
        """What a module's variable was set to, where it is set once."""
        file = self._signatures.sources[found[0]] if found is not None else None
        values = file.variables.get(found[1], []) if file is not None and found is not None else []
        return values[0] if len(values) == 1 else None

    def find_function(self, found: tuple[str, str] | None) -> FunctionNode | None:
        """The function of that name."""
        file = self._signatures.sources[found[0]] if found is not None else None
        return file.functions.get(found[1]) if file is not None and found is not None else None

    def is_class(self, found: tuple[str, str] | None) -> bool:
        """Whether it is a class of the project."""
        file = self._signatures.sources[found[0]] if found is not None else None
        return file is not None and found is not None and found[1] in file.classes

    def is_model(self, found: tuple[str, str] | None) -> bool:
        """Whether it is a pydantic model of the project."""
        if found is None or not self.is_class(found):
            return False
        bases = (base for _, cls in self._signatures.index.iter_classes(*found) for base in cls.bases)
        return any(base.rpartition(".")[2] in ("BaseModel", "SQLModel", "BaseSettings") for base in bases)

    def name(self, path: str, function: str) -> str:
        """How a function is called in links: `Class.method`, or `module.function`."""
        if "." in function and function.partition(".")[0] in self._classes(path):
            return function
        module = derive_module(path).rpartition(".")[2]
        return f"{module}.{function}" if function else module

    def _classes(self, path: str) -> set[str]:
        file = self._signatures.sources[path]
        return set(file.classes) if file is not None else set()

    @cached_property
    def _spans(self) -> dict[str, list[tuple[int, int, str]]]:
        return {}

    def find_around(self, path: str, node: ast.AST) -> str:
        """The qualified name of the function around a node; empty at the top of a module."""
        if path not in self._spans:
            self._spans[path] = [(f.lineno, f.end_lineno or 0, name) for name, f in self.list_functions(path)]
        line = getattr(node, "lineno", 0)
        around = [(first, name) for first, last, name in self._spans[path] if first <= line <= last]
        return max(around)[1] if around else ""


def _spell(expression: ast.expr) -> str:
    """`a.b.c`; empty for anything but a plain name."""
    match expression:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            base = _spell(value)
            return f"{base}.{attr}" if base else ""
    return ""


def load_readers() -> list[FrameworkReader]:
    """Our own, and those that installed packages add."""
    from graphbus_core.inference.frameworks.blinker import BlinkerReader
    from graphbus_core.inference.frameworks.celery import CeleryReader
    from graphbus_core.inference.frameworks.fastapi import FastAPIReader
    from graphbus_core.inference.frameworks.langgraph import LangGraphReader

    own: list[FrameworkReader] = [FastAPIReader(), LangGraphReader(), CeleryReader(), BlinkerReader()]
    return [*own, *(entry.load()() for entry in entry_points(group=GROUP))]


def read_edges(signatures: Signatures) -> tuple[list[Edge], list[Unread]]:
    """What every framework that the project imports hands over, and what was not read of it."""
    source = ProjectSource(signatures)
    edges: dict[Edge, None] = {}
    unread: dict[Unread, None] = {}
    for reader in load_readers():
        if any(source.mentions(path, *reader.packages) for path in source.paths):
            for item in reader.read(source):
                if isinstance(item, Edge):
                    edges[item] = None
                else:
                    unread[item] = None
    return list(edges), list(unread)
