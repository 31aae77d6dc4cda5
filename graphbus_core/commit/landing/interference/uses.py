"""The places of a file that rely on a definition elsewhere: calls, names, attributes, imports, overrides."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

from graphbus_core.commit.landing.interference.definitions import (
    FOREIGN,
    Definition,
    Foreign,
    Function,
    Meaning,
    Module,
    Project,
)

BUILT_IN = frozenset(name for kind in (str, bytes, list, dict, set, tuple, int, float, object, type(iter([])))
                      for name in dir(kind))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Use:
    """One place that relies on a definition, and what is around it."""

    path: str
    scope: str
    node: ast.AST
    owner: ast.ClassDef | None = None
    function: Function | None = None
    is_awaited: bool = False
    is_read: bool = True  # its value goes somewhere
    is_called: bool = False
    is_filled: bool = False  # it is given a value, or something stands behind it that may change what it holds
    caught: tuple[str, ...] = ()  # the errors that handlers around it name

    @property
    def line(self) -> int:
        return getattr(self.node, "lineno", 0)

    @cached_property
    def key(self) -> str:
        """The same for the same use, wherever it stands."""
        match self.node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                return f"def {self.owner.name if self.owner else ''}.{name} {ast.dump(self.node.args)}"
            case ast.ClassDef(name=name, bases=bases):
                return f"class {name} {[ast.dump(b) for b in bases]}"
            case ast.ImportFrom():
                return f"{self.path} {ast.dump(self.node)}"
        head = self.owner.name if self.owner and "self" in {n.id for n in ast.walk(self.node)
                                                            if isinstance(n, ast.Name)} else ""  # fmt: skip
        return f"{head} {ast.dump(self.node)} {self.caught}"


# Of each module, as long as it is there: it is asked in each tree that has it, and for each side.
_USES: WeakKeyDictionary[Module, tuple[Use, ...]] = WeakKeyDictionary()


def iter_uses(project: Project, path: str) -> Iterator[Use]:
    """Every use in a file, in no order."""
    module = project.modules.get(path)
    if module is not None:
        if module not in _USES:
            _USES[module] = tuple(_visit(module.tree, Use(path, "module", module.tree)))
        yield from _USES[module]


def _visit(node: ast.AST, around: Use) -> Iterator[Use]:
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _visit_child(child, node, field, around)


def _visit_child(child: ast.AST, parent: ast.AST, field: str, around: Use) -> Iterator[Use]:
    is_awaited = isinstance(parent, ast.Await)
    is_read = around.is_read if is_awaited else not isinstance(parent, ast.Expr)
    here = replace(
        around,
        node=child,
        is_awaited=is_awaited,
        is_called=False,
        is_read=is_read,
        is_filled=_fills(child, parent, around),
    )
    match child:
        case ast.ClassDef(name=name):
            yield here
            yield from _visit(child, replace(here, scope=_join(around.scope, name), owner=child, function=None))
            return
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            if isinstance(parent, ast.ClassDef):
                yield here
            yield from _visit(child, replace(here, scope=_join(around.scope, name), function=child, caught=()))
            return
        case ast.Try() | ast.TryStar():
            names = [ast.unparse(t).rpartition(".")[2] for h in child.handlers for t in _list_types(h.type)]
            for statement in child.body:
                yield from _visit_child(statement, child, "body", replace(around, caught=(*around.caught, *names)))
            for rest in (*child.handlers, *child.orelse, *child.finalbody):
                yield from _visit_child(rest, child, "rest", around)
            return
        case ast.Call():
            yield replace(here, is_called=True)
            if isinstance(child.func, ast.Attribute):
                yield from _visit_child(child.func.value, child.func, "value", here)
            for inner in (*child.args, *child.keywords):
                yield from _visit_child(inner, child, "args", replace(here, is_read=True))
            return
        case ast.Attribute(ctx=ast.Load() | ast.Store()) | ast.Name(ctx=ast.Load()) | ast.ImportFrom():
            yield here
    yield from _visit(child, here)


def _fills(node: ast.AST, parent: ast.AST, around: Use) -> bool:
    """Whether a place gives an attribute a value or an entry, or calls a method of what it holds for its effect."""
    if isinstance(getattr(node, "ctx", None), ast.Store):
        return True
    if isinstance(parent, ast.Subscript) and parent.value is node:
        return not isinstance(parent.ctx, ast.Load)
    call = around.node
    return isinstance(call, ast.Call) and call.func is parent and not around.is_read


def _join(scope: str, name: str) -> str:
    return name if scope == "module" else f"{scope}.{name}"


def _list_types(node: ast.expr | None) -> list[ast.expr]:
    if node is None:
        return [ast.Name("BaseException")]
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def resolve(project: Project, use: Use) -> Meaning:
    """What a use means in a tree."""
    match use.node:
        case ast.Call(func=func):
            return _resolve_expression(project, use, func)
        case ast.Name() | ast.Attribute():
            return _resolve_expression(project, use, use.node)
    return FOREIGN


def _resolve_expression(project: Project, use: Use, node: ast.AST) -> Meaning:
    match node:
        case ast.Name(id=name):
            if _is_local(use.function, name):
                return FOREIGN
            meaning = project.find_name(use.path, name)
            return FOREIGN if meaning is None else meaning  # a builtin, or what the gate of names tells
        case ast.Attribute(value=value, attr=name):
            if isinstance(value, ast.Name) and not _is_local(use.function, value.id):
                meaning = project.find_in_module(use.path, value.id, name)
                if not isinstance(meaning, Foreign):
                    return meaning
            owner = find_type(project, use, value)
            if owner is not None:
                return project.find_member(owner, name, inherited=_is_super(value))
            return _find_by_receiver(project, value, name) or _find_by_name(project, name)
    return FOREIGN


def is_found_by_name(project: Project, use: Use) -> bool:
    """Whether nothing but its name tells whose member a use means: no type of what stands before the dot."""
    node = use.node.func if isinstance(use.node, ast.Call) else use.node
    return isinstance(node, ast.Attribute) and find_type(project, use, node.value) is None


def _is_super(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _find_by_receiver(project: Project, value: ast.AST, name: str) -> Definition | None:
    """A member of the one class that a receiver is named after: `cache.get` of `Cache`."""
    if not isinstance(value, ast.Name):
        return None
    called = value.id.replace("_", "").lower()
    owners = project.classes.get(called, [])
    meaning = project.find_member(owners[0], name) if len(owners) == 1 else None
    return meaning if isinstance(meaning, Definition) else None


def _find_by_name(project: Project, name: str) -> Meaning:
    """The one member of that name in the tree, or none; where there are more, or builtins have it, nothing is told."""
    if name in BUILT_IN:
        return FOREIGN
    members = project.members.get(name, [])
    if not members:
        return None
    return members[0] if len(members) == 1 else FOREIGN


def _is_local(function: Function | None, name: str) -> bool:
    if function is None:
        return False
    if any(a.arg == name for a in ast.walk(function.args) if isinstance(a, ast.arg)):
        return True
    return any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(function))


def find_type(project: Project, use: Use, node: ast.AST) -> Definition | None:
    """The class of a value, where the text around it tells."""
    match node:
        case ast.Name(id="self" | "cls") if use.owner is not None:
            return Definition(use.path, use.owner.name, use.owner)
        case ast.Call() if _is_super(node) and use.owner is not None:
            return Definition(use.path, use.owner.name, use.owner)
        case ast.Call(func=func):
            owner = project.find_class(use.path, func)
            if owner is not None:
                return owner
            callee = _resolve_expression(project, use, func) if isinstance(func, ast.Name) else FOREIGN
            if isinstance(callee, Definition) and isinstance(callee.node, Function):
                return project.find_class(callee.path, callee.node.returns)
            return None
        case ast.Await(value=value):
            return find_type(project, use, value)
        case ast.Name(id=name):
            return _find_local_type(project, use, name) or project.find_class(use.path, node)
        case ast.Attribute(value=ast.Name(id="self"), attr=name) if use.owner is not None:
            return _find_attribute_type(project, use, use.owner, name)
    return None


def find_construction(use: Use, node: ast.AST | None) -> ast.Call | None:
    """The call that makes the object that stands at a place: right there, or in the one assignment of its name."""
    if isinstance(node, ast.Name) and use.function is not None:
        stores = [n for n in ast.walk(use.function) if isinstance(n, ast.Name) and n.id == node.id]
        given = [
            s.value for s in ast.walk(use.function)
            if isinstance(s, ast.Assign) and [getattr(t, "id", "") for t in s.targets] == [node.id]
        ]  # fmt: skip
        if len(given) == 1 and sum(not isinstance(n.ctx, ast.Load) for n in stores) == 1:
            node = given[0]
    return node if isinstance(node, ast.Call) else None


def _find_local_type(project: Project, use: Use, name: str) -> Definition | None:
    if use.function is None:
        return None
    for argument in ast.walk(use.function.args):
        if isinstance(argument, ast.arg) and argument.arg == name:
            return project.find_class(use.path, argument.annotation)
    for statement in ast.walk(use.function):
        match statement:
            case ast.AnnAssign(target=ast.Name(id=target), annotation=annotation) if target == name:
                return project.find_class(use.path, annotation)
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Call() as value) if target == name:
                return find_type(project, use, value)
    return None


def _find_attribute_type(project: Project, use: Use, owner: ast.ClassDef, name: str) -> Definition | None:
    for statement in owner.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if statement.target.id == name:
                return project.find_class(use.path, statement.annotation)
        elif isinstance(statement, Function):
            for inner in ast.walk(statement):
                match inner:
                    case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=attr)], value=value):
                        if attr == name:
                            return find_type(project, replace(use, function=statement), value)
    return None
