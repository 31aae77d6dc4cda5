"""The source diff: a bare `@contract` on each component that says something, a TypedDict where dicts have certain keys.

Only what stands in the body of a module is touched, by whole lines and hints; every other byte stays. A diff with which
`infer` would find something new is not proposed for that file.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff

from graphbus_core.adopt.known.code import FunctionNode
from graphbus_core.adopt.known.shapes import Keyed
from graphbus_core.adopt.project import Component, Inferred, Method, infer
from graphbus_core.adopt.source import records
from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.import_order import import_line
from graphbus_core.build.edit.text.source import Edit, Source

OURS = "graphbus_core"
NO_COMPONENT = {"Protocol", "TypedDict", "Enum", "StrEnum", "IntEnum", "NamedTuple", "GraphBusNode", "BaseModel"}


@dataclass(frozen=True)
class Decorated:
    """What each file was and becomes. `left` says which files were left alone, and why."""

    before: dict[str, bytes]
    after: dict[str, bytes]
    components: int
    records: int
    left: tuple[str, ...] = ()

    @property
    def diff(self) -> str:
        """As a unified diff."""
        parts = []
        for path, new in self.after.items():
            old_lines, new_lines = (
                text.decode("utf-8", "replace").splitlines(True) for text in (self.before[path], new)
            )
            parts.append("".join(unified_diff(old_lines, new_lines, f"a/{path}", f"b/{path}")))
        return "".join(parts)


def decorated(found: Inferred) -> Decorated:
    """The diff for a project as it was inferred."""
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    left: list[str] = []
    components = written = 0
    for path, own in itertools.groupby(sorted(found.components, key=lambda one: one.file), lambda one: one.file):
        raw = (found.root / path).read_bytes()
        try:
            file = _File(Source(path, raw))
            for component in own:
                file.component(component)
            new = file.edited()
        except (Refusal, SyntaxError, ValueError) as e:
            left.append(f"{path}: {e}")
            continue
        if new != raw:
            before[path], after[path] = raw, new
            components, written = components + file.components, written + file.records
    return _without_new_findings(found, Decorated(before, after, components, written, tuple(left)))


def _without_new_findings(found: Inferred, made: Decorated) -> Decorated:
    """Files whose new hints disagree with the code stay as they are: the hint was wrong then, and not the code."""
    stood = {one.fingerprint for one in found.findings}
    more = [one for one in infer(found.root, over=made.after, links=False).findings if one.fingerprint not in stood]
    bad = {place for one in more for place in (one.file, *(two.file for two in one.related))} & set(made.after)
    if not bad:
        return made
    kept = {path: text for path, text in made.after.items() if path not in bad}
    left = (*made.left, *(f"{path}: with it, infer would find something new" for path in sorted(bad)))
    return Decorated({path: made.before[path] for path in kept}, kept, made.components, made.records, left)


class _File:
    """The edits of one file."""

    def __init__(self, source: Source) -> None:
        self.source, self.edits = source, list[Edit]()
        self.names = {name for at in source.tree.body for name in _bound(at)}
        self.ours = _imported(source, OURS).get("contract", "")
        self.alias = "contract" if self.ours or "contract" not in self.names else "graphbus_contract"
        self.typing = _imported(source, "typing")
        self.needed: set[str] = set()
        self.components = self.records = 0

    def component(self, component: Component) -> None:
        """Decorate a class, or the functions of a module; write the records of what they give."""
        if component.kind == "class":
            at = self._top(component.name)
            if isinstance(at, ast.ClassDef) and _takes_part(at):
                made = [edit for method in component.methods for edit in self._record(method, at)]
                self._decorate(at, made, any(_says(one) for one in component.methods))
            return
        for method in component.methods:
            function = self._top(method.name)
            if isinstance(function, FunctionNode) and not function.decorator_list:
                self._decorate(function, self._record(method, None), _says(method))

    def _top(self, name: str) -> ast.stmt | None:
        named = [n for n in self.source.tree.body if getattr(n, "name", None) == name]
        return named[0] if len(named) == 1 else None

    def _decorate(self, at: ast.ClassDef | FunctionNode, made: list[Edit], says: bool) -> None:
        if not says and not made:
            return
        place = self._above(at)
        newline = self.source.newline(place)
        self.edits += [*made, Edit(place, place, f"@{self.ours or self.alias}".encode() + newline)]
        self.components += 1

    def _record(self, method: Method, cls: ast.ClassDef | None) -> list[Edit]:
        """The edits for one method: the class of its record, and the hint."""
        name = f"{cls.name}.{method.name}" if cls is not None else method.name
        functions = [n for n in (cls.body if cls is not None else self.source.tree.body) if isinstance(n, FunctionNode)]
        named = [one for one in functions if one.name == name.rpartition(".")[2]]
        shape = method.signature.gives.shape
        if len(named) != 1 or not isinstance(shape, Keyed) or not records.is_record(method.signature.gives, named[0]):
            return []
        if any(self.typing.get(word, word) != word or word in self._taken() for word in records.names_needed(shape)):
            return []  # the file means something else by `Any` or `TypedDict`
        record = records.name_of(named[0], cls.name if cls is not None else "Module", self.names)
        if record in self.names:
            return []
        self.names.add(record)
        self.needed |= set(records.names_needed(shape))
        self.records += 1
        place = self._above(cls or named[0])
        newline = self.source.newline(place).decode()
        text = records.written(record, shape, newline).encode()
        return [Edit(place, place, text), records.hint(self.source, named[0], record)]

    def _above(self, at: ast.ClassDef | FunctionNode) -> int:
        """Where its first line begins, decorators with it."""
        return self.source.offset(min([at.lineno, *(one.lineno for one in at.decorator_list)]), 0)

    def _taken(self) -> set[str]:
        return self.names - set(self.typing.values())

    def edited(self) -> bytes:
        """The file with the edits made, and what they need imported."""
        if not self.edits:
            return self.source.raw
        made = self.source.edited(self.edits)
        if not self.ours:
            renamed = "" if self.alias == "contract" else f" as {self.alias}"
            made = _with_import(made, f"from {OURS} import contract{renamed}")
        words = sorted(word for word in self.needed if word not in self.typing)
        if words:
            made = _with_import(made, f"from typing import {', '.join(words)}")
        ast.parse(made.data)
        return made.raw


def _says(method: Method) -> bool:
    """Whether the decorator would read anything: a hint stands in the code."""
    return "hint" in method.sources


def _takes_part(at: ast.ClassDef) -> bool:
    bases = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in at.bases}
    words = {ast.unparse(one).partition("(")[0].rpartition(".")[2] for one in at.decorator_list}
    return not bases & NO_COMPONENT and not words & {"contract", "dataclass", "define", "attrs"}


def _bound(at: ast.stmt) -> Iterator[str]:
    for node in ast.walk(at):
        match node:
            case ast.alias(name=name, asname=asname):
                yield asname or name.partition(".")[0]
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name


def _imported(source: Source, module: str) -> dict[str, str]:
    """What a file imports from a module at its top: the name there, and how it is called here."""
    return {
        alias.name: alias.asname or alias.name
        for at in source.tree.body
        if isinstance(at, ast.ImportFrom) and at.module == module and not at.level
        for alias in at.names
    }


def _with_import(source: Source, statement: str) -> Source:
    """An import among the first imports of a file, where a formatter would put it."""
    return source.edited([import_line(source, statement)])
