"""A text that one side wrote down anew, and that is the value of a name whose value the other side changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphbus_core.commit.landing.interference.definitions import Function, Project
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.editing.scope import is_test_file


def check_copies(old: Project, side: Project, now: Project) -> Iterator[Interference]:
    """A separator, a pattern or a format that is named in one file and copied in another: who changes it there does not
    see the copy."""
    changed = dict(_list_changed(old, side, now))
    for path in side.list_changed(old) if changed else ():
        if is_test_file(path):
            continue
        known = _count(old, path)
        for scope, node in walk_functions(side.modules[path].tree, ""):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and part.value in changed and (scope, part.value) not in known:
                    name, place, readers = changed[part.value]
                    what = f"{part.value!r} is what {name} was on its side, and the other side changed {name}"
                    ends = tuple(((path, scope), reader) for reader in readers)
                    yield Interference(path, part.lineno, scope, what, place, ends[0] if ends else ())


_Changed = tuple[str, str, list[tuple[str, str]]]


def _list_changed(old: Project, side: Project, now: Project) -> Iterator[tuple[str | bytes, _Changed]]:
    """The texts that names at the top of files no longer stand for: name, place, and the functions that read it."""
    for path, module in side.modules.items():
        if path not in now.modules or now.files[path] == side.files[path] or is_test_file(path):
            continue
        for name, node in module.names.items():
            before, later = (_read_text(n) for n in (node, now.modules[path].names.get(name)))
            if before and later is not None and later != before:
                readers = [
                    (path, scope)
                    for scope, function in walk_functions(now.modules[path].tree, "")
                    if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(function))
                ]
                yield before, (name, f"{path}:{getattr(node, 'lineno', 0)}", readers)


def _read_text(node: ast.AST | None) -> str | bytes | None:
    match node:
        case ast.Assign(value=ast.Constant(value=str() | bytes() as text)):
            return text
        case ast.AnnAssign(value=ast.Constant(value=str() | bytes() as text)):
            return text
    return None


def _count(project: Project, path: str) -> set[tuple[str, object]]:
    """The literals of each function of a file."""
    if path not in project.modules:
        return set()
    return {
        (scope, part.value)
        for scope, node in walk_functions(project.modules[path].tree, "")
        for part in ast.walk(node) if isinstance(part, ast.Constant)
    }  # fmt: skip


def walk_functions(node: ast.AST, scope: str) -> Iterator[tuple[str, Function]]:
    """The functions of a module and the methods of its classes, with their names."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef):
            name = f"{scope}.{child.name}" if scope else child.name
            if isinstance(child, Function):
                yield name, child
            else:
                yield from walk_functions(child, name)
