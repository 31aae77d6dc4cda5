"""New code that hands on every field of an object, and is short of the field that the other side added.

A copy, a table of a form, a tuple to compare by: each was whole when it was written, and nothing fails where it is not.
Text in, no imports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graphbus_core.commit.landing.interference.aspects import read_fields
from graphbus_core.commit.landing.interference.copies import walk_functions
from graphbus_core.commit.landing.interference.definitions import Definition, Function, Project
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.editing.scope import is_test_file

MIN_FIELDS = 2  # of what is no copy: one attribute alone in a list is no whole


def check_fields(old: Project, side: Project, now: Project) -> Iterator[Interference]:
    """The places of a side's new code that name every field of a class, which has more in the merged tree."""
    grown = list(_list_grown(side, now))
    for path in side.list_changed(old) if grown else ():
        if is_test_file(path) or path not in now.modules:
            continue
        known = set(_iter_wholes(old, path))
        standing = set(_iter_wholes(now, path))
        for whole in _iter_wholes(side, path):
            for owner, fields, added in grown if whole in standing and whole not in known else ():
                if whole.holds(owner.name, fields) and not whole.names & added.keys():
                    what = f"it hands on every field of {owner.name}, and the other side added {', '.join(added)}"
                    place = f"{owner.path}:{min(added.values())}"
                    yield Interference(path, whole.line, whole.scope, what, place)


@dataclass(frozen=True)
class _Whole:
    """What is made of the attributes of one object: a display, or an object that a function makes."""

    scope: str
    receiver: str
    names: frozenset[str]
    made: str  # the class that is made; nothing for a display
    text: str
    line: int = field(compare=False)

    def holds(self, owner: str, fields: set[str]) -> bool:
        """Whether it names every field of a class."""
        inside = self.scope.partition(".")[0]
        if self.receiver in ("self", "cls") and inside != owner:
            return False
        if self.made in ("cls", "type(self)", "self.__class__"):
            is_made = inside == owner
        else:
            is_made = self.made.rpartition(".")[2] == owner
        return fields <= self.names and (is_made or (not self.made and len(fields) >= MIN_FIELDS))


def _iter_wholes(project: Project, path: str) -> Iterator[_Whole]:
    module = project.modules.get(path)
    if module is None:
        return
    tables = [("module", statement) for statement in module.tree.body if isinstance(statement, ast.Assign)]
    for scope, part in (*tables, *walk_functions(module.tree, "")):
        lines: dict[str, int] = {}
        for node in ast.walk(part):
            match node:
                case ast.Dict(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
                    for receiver, names in _read_names(parts):
                        yield _Whole(scope, receiver, names, "", ast.dump(node), node.lineno)
                case ast.Call(func=ast.Name() | ast.Attribute() | ast.Call() as func) if isinstance(part, Function):
                    lines.setdefault(ast.unparse(func), node.lineno)
        for receiver, names in _read_names(part.body) if isinstance(part, Function) else ():
            for callee, line in lines.items():
                yield _Whole(scope, receiver, names, callee, "", line)


def _read_names(parts: Sequence[ast.AST]) -> list[tuple[str, frozenset[str]]]:
    """What stands somewhere of the attributes of each name, and in quotes: a list of columns, or keys that are read."""
    by_name: dict[str, set[str]] = {}
    for part in parts:
        for inner in ast.walk(part):
            if isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name):
                by_name.setdefault(inner.value.id, set()).add(inner.attr)
            elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                by_name.setdefault("", set()).add(inner.value)
    return [(receiver, frozenset(names)) for receiver, names in by_name.items()]


def _list_grown(side: Project, now: Project) -> Iterator[tuple[Definition, set[str], dict[str, int]]]:
    """The classes that have more fields in the merged tree: as it is there, its fields on the side, the new ones."""
    for path, module in side.modules.items():
        later = now.modules.get(path)
        if later is None or is_test_file(path) or now.files[path] == side.files[path]:
            continue
        for name, node in module.names.items():
            other = later.names.get(name)
            if isinstance(node, ast.ClassDef) and isinstance(other, ast.ClassDef):
                fields, more = _read_state(node), _read_state(other)
                added = {field: line for field, line in more.items() if field not in fields}
                if fields and added and fields.keys() <= more.keys():
                    yield Definition(path, name, other), set(fields), added


def _read_state(owner: ast.ClassDef) -> dict[str, int]:
    """What a constructor is given and keeps, or what a dataclass declares, with its lines."""
    constructor = next((n for n in owner.body if isinstance(n, Function) and n.name == "__init__"), None)
    if constructor is None:
        names = {name for name, kind, _ in read_fields(owner) if kind in ("plain", "keyword")}
        lines = {
            s.target.id: s.lineno for s in owner.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
        }
        return {name: line for name, line in lines.items() if name in names}
    parameters = {a.arg for a in ast.walk(constructor.args) if isinstance(a, ast.arg)}
    state: dict[str, int] = {}
    for statement in ast.walk(constructor):
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
                names = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
                if names & parameters - {"self"} and not name.startswith("_"):
                    state[name] = statement.lineno
    return state
