"""What is found without being named: modules in a folder that somebody looks into, entries under a key of a table.

Who adds a module to such a folder counts on its being found. Who registers something under a key counts on being the
only one: both sides can do so in files of their own, and the table keeps one. Text in, names out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphbus_core.commit.landing.interference.definitions import Definition, Function, Module, Project
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.editing.scope import is_test_file

_LOOKS = re.compile(rb"iter_modules|walk_packages|glob|iterdir|listdir|scandir")
_HERE = ("__path__", "__file__")  # what a module knows its folder by


def check_folders(old: Project, side: Project, now: Project) -> Iterator[Interference]:
    """A module that a side put into a folder into which the other side has nobody look any more."""
    still = {folder for folder, _ in _list_looked_into(now)}
    for folder, place in _list_looked_into(old):
        for path in side.modules.keys() - old.modules.keys() if folder not in still else ():
            name = path.rpartition("/")[2].removesuffix(".py")
            if path.rpartition("/")[0] == folder and name != "__init__" and not _is_named(now, path, name):
                line = _find_registering(side.modules[path].tree)
                what = f"nobody looks into {folder or 'its folder'} for modules any more, or names {name}"
                yield Interference(path, line, "module", what, place)


def _list_looked_into(project: Project) -> Iterator[tuple[str, str]]:
    """The folders in which code looks for modules, and where it does."""
    for path, module in project.modules.items():
        if is_test_file(path) or not _LOOKS.search(project.files[path]):
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and _LOOKS.fullmatch(_name_last(node.func).removeprefix("r").encode()):
                folder = _read_folder(project, path, node)
                if folder is not None:
                    yield folder, f"{path}:{node.lineno}"


def _name_last(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _read_folder(project: Project, path: str, look: ast.Call) -> str | None:
    """The folder that a call looks into, where it is that of a module of the tree."""
    names = project.modules[path].names
    for part in ast.walk(look):
        match part:
            case ast.Attribute(value=ast.Name(id=head), attr="__path__"):
                node = names.get(head)
                level, dotted = (node.level, node.module or "") if isinstance(node, ast.ImportFrom) else (0, "")
                target = project.find_module(path, level, f"{dotted}.{head}".strip("."))
                return target.rpartition("/")[0] if target else None
            case ast.Name(id=name) if name in _HERE or _speaks_of_here(names.get(name)):
                return path.rpartition("/")[0]
    return None


def _speaks_of_here(node: ast.AST | None) -> bool:
    value = getattr(node, "value", None)
    return isinstance(value, ast.AST) and any(isinstance(n, ast.Name) and n.id in _HERE for n in ast.walk(value))


def _is_named(now: Project, path: str, name: str) -> bool:
    """Whether code beside a module names it: in an import, or in quotes."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    for other, module in now.modules.items():
        if other == path or is_test_file(other):
            continue
        for node in ast.walk(module.tree):
            match node:
                case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                    texts = [alias.name for alias in aliases] + [str(getattr(node, "module", ""))]
                case ast.Constant(value=str() as text):
                    texts = [text]
                case _:
                    continue
            if any(word.search(text) for text in texts):
                return True
    return False


def _find_registering(tree: ast.Module) -> int:
    """The line of a module that its import is for: a decorator with effect, or a call."""
    for statement in tree.body:
        if isinstance(statement, Function | ast.ClassDef) and statement.decorator_list:
            return statement.decorator_list[0].lineno
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            return statement.lineno
    return tree.body[0].lineno if tree.body else 1


_Entry = tuple[str, str, str]  # file and name of a table, and a key


@dataclass(frozen=True)
class _Place:
    path: str
    line: int
    text: str


def check_entries(old: Project, ours: Project, theirs: Project, now: Project) -> Iterator[Interference]:
    """What both sides registered under one key of one table, each in a place of its own."""
    mine, beside = (dict(_iter_entries(side, side.list_changed(old))) for side in (ours, theirs))
    both = mine.keys() & beside.keys()
    if not both:
        return
    known = {entry for entry, _ in _iter_entries(old, list(old.modules))}
    standing = {(entry, place.path, place.text) for entry, place in _iter_entries(now, list(now.modules))}
    for entry in sorted(both - known):
        first, second = mine[entry], beside[entry]
        are_two = (first.path, first.text) != (second.path, second.text)
        if are_two and all((entry, p.path, p.text) in standing for p in (first, second)):
            what = f"{second.text}: the other side puts another under {entry[2]} of {entry[1]}, which keeps one"
            yield Interference(second.path, second.line, "module", what, f"{first.path}:{first.line}")


def _iter_entries(project: Project, paths: list[str]) -> Iterator[tuple[_Entry, _Place]]:
    """What files register when they are imported: `@step(3)`, `add("csv", write)`, `TABLE["csv"] = write`."""
    for path in paths:
        module = project.modules.get(path)
        for node in _list_run_on_import(module) if module and not is_test_file(path) else ():
            for table, key in _read_entry(project, path, node):
                text = ast.unparse(node).partition("\n")[0][:80]
                yield (table.path, table.name, key), _Place(path, node.lineno, text)


def _list_run_on_import(module: Module) -> Iterator[ast.expr | ast.stmt]:
    for statement in module.tree.body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield from statement.decorator_list
            case ast.Expr(value=ast.Call() as call):
                yield call
            case ast.Assign():
                yield statement


def _read_entry(project: Project, path: str, node: ast.AST) -> Iterator[tuple[Definition, str]]:
    """The table into which a statement puts something, and under which key."""
    match node:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=key))]):
            table = project.find_name(path, name)
            if isinstance(table, Definition):
                yield table, repr(key)
        case ast.Call(func=func):
            for function, table in _find_callee(project, path, func):
                for name, key in _bind_constants(function, node).items():
                    for stored in _list_stored_under(function, name):
                        meaning = table or project.find_name(*stored)
                        if isinstance(meaning, Definition):
                            yield meaning, key


def _find_callee(project: Project, path: str, func: ast.expr) -> Iterator[tuple[Definition, Definition | None]]:
    """The function that a call means; of a method of an object at the top of a file, that object, too."""
    match func:
        case ast.Name(id=name):
            meaning = project.find_name(path, name)
        case ast.Attribute(value=ast.Name(id=head), attr=name):
            holder = project.find_name(path, head)
            if isinstance(holder, Definition):
                value = getattr(holder.node, "value", None)
                owner = project.find_class(holder.path, value.func) if isinstance(value, ast.Call) else None
                method = project.find_member(owner, name) if owner is not None else None
                if isinstance(method, Definition) and isinstance(method.node, Function):
                    yield method, holder
                return
            meaning = project.find_in_module(path, head, name)
        case _:
            return
    if isinstance(meaning, Definition) and isinstance(meaning.node, Function):
        yield meaning, None


def _bind_constants(definition: Definition, call: ast.Call) -> dict[str, str]:
    """The parameters that a call gives a constant."""
    assert isinstance(definition.node, Function)
    names = [a.arg for a in (*definition.node.args.posonlyargs, *definition.node.args.args)]
    pairs = list(zip(names[definition.owner is not None :], call.args, strict=False))
    pairs += [(k.arg, k.value) for k in call.keywords if k.arg]
    return {name: repr(value.value) for name, value in pairs if isinstance(value, ast.Constant)}


def _list_stored_under(definition: Definition, parameter: str) -> Iterator[tuple[str, str]]:
    """The file and name of each table that a function, or one in it, stores in under a parameter of it."""
    for node in ast.walk(definition.node):
        match node:
            case ast.Subscript(value=table, slice=ast.Name(id=name), ctx=ast.Store()) if name == parameter:
                yield definition.path, _name_last(table)
            case ast.Call(func=ast.Attribute(value=table, attr="setdefault"), args=[ast.Name(id=name), value]):
                if name == parameter and not isinstance(value, ast.List | ast.Dict | ast.Set):
                    yield definition.path, _name_last(table)
