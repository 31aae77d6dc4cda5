"""New code that was complete on its side and is not in the merged tree: a member more, a state that is not set up.

A table of all members of an enum, a `match` over them, a class with its own constructor: each was whole when it was
written. The other side added to what it must cover.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from graphbus_core.commit.landing.interference.definitions import MAX_STEPS, Definition, Function, Project
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.editing.scope import is_test_file

MIN_MEMBERS = 2


def check_completeness(old: Project, side: Project, now: Project) -> Iterator[Interference]:
    """What a side wrote anew and the merged tree makes incomplete."""
    for path in side.list_changed(old):
        if is_test_file(path) or path not in now.modules:
            continue
        old_nodes = ast.walk(old.modules[path].tree) if path in old.modules else ()
        known = {ast.dump(node) for node in old_nodes if _may_cover(node)}
        for scope, node in _walk(side.modules[path].tree, "module"):
            if not _may_cover(node) or ast.dump(node) in known:
                continue
            if isinstance(node, ast.ClassDef):
                yield from _check_state(side, now, path, node)
            else:
                yield from _check_members(side, now, path, scope, node)


def _may_cover(node: ast.AST) -> bool:
    return bool(node.bases if isinstance(node, ast.ClassDef) else _list_covered(node))


def _walk(node: ast.AST, scope: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        yield scope, child
        inner = scope
        if isinstance(child, Function | ast.ClassDef):
            inner = child.name if scope == "module" else f"{scope}.{child.name}"
        yield from _walk(child, inner)


def _check_members(side: Project, now: Project, path: str, scope: str, node: ast.AST) -> Iterator[Interference]:
    """An enum of which a place names every member, and that has more in the merged tree."""
    names = _list_covered(node)
    owner = side.find_class(path, ast.Name(names[0][0])) if names else None
    later = now.find_class(path, ast.Name(names[0][0])) if names else None
    if owner is None or later is None or len({head for head, _ in names}) != 1:
        return
    members, more = (list_members(found.node) for found in (owner, later))
    covered = {name for _, name in names}
    if len(members) < MIN_MEMBERS or members.keys() - covered or not more.keys() - members.keys():
        return
    asking = node if isinstance(node, ast.Match | ast.If) else _find_asking(now, path, node)
    if asking is not None:
        new = ", ".join(sorted(more.keys() - members.keys()))
        what = f"it tells of every member of {owner.name}, and the other side added {new}"
        place = f"{later.path}:{min(more[name] for name in more.keys() - members.keys())}"
        yield Interference(path, getattr(asking, "lineno", 0), scope, what, place)


def _list_covered(node: ast.AST) -> list[tuple[str, str]]:
    """The members that a table, a list, a `match` or a chain of `if` names, when it names nothing else."""
    match node:
        case ast.Dict(keys=keys):
            parts: list[ast.AST | None] = [*keys]
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            parts = [*elements]
        case ast.Match(cases=cases):
            parts = [
                p for c in cases for p in (c.pattern.patterns if isinstance(c.pattern, ast.MatchOr) else [c.pattern])
            ]
            parts = [p.value if isinstance(p, ast.MatchValue) else None for p in parts]
        case ast.If():
            parts = [*_list_chain(node)]
        case _:
            return []
    names = [(p.value.id, p.attr) for p in parts if isinstance(p, ast.Attribute) and isinstance(p.value, ast.Name)]
    return names if parts and len(names) == len(parts) else []


def _list_chain(node: ast.If) -> Iterator[ast.AST | None]:
    """What an `if` and its `elif` compare with, one after the other; None where an `else` takes the rest."""
    match node.test:
        case ast.Compare(ops=[ast.Is() | ast.Eq()], comparators=[ast.Attribute() as member]):
            yield member
        case _:
            yield None
    match node.orelse:
        case [ast.If() as following]:
            yield from _list_chain(following)
        case [] | [ast.Raise()]:
            pass
        case _:
            yield None


def list_members(owner: ast.AST) -> dict[str, int]:
    """The members of an enum, and their lines; nothing where the class is not one."""
    bases = owner.bases if isinstance(owner, ast.ClassDef) else []
    if not any(ast.unparse(base).rpartition(".")[2].endswith(("Enum", "Flag")) for base in bases):
        return {}
    return {
        target.id: statement.lineno
        for statement in getattr(owner, "body", ()) if isinstance(statement, ast.Assign)
        for target in statement.targets if isinstance(target, ast.Name) and not target.id.startswith("_")
    }  # fmt: skip


def _find_asking(now: Project, path: str, node: ast.AST) -> ast.AST | None:
    """Where a table is asked for a member, without anything for the case that it has none; its own file goes first."""
    names: set[str] = set()
    for statement in ast.walk(now.modules[path].tree):
        match statement:
            case ast.Subscript(value=value) if ast.dump(value) == ast.dump(node):
                return statement
            case ast.Assign(value=value, targets=targets) if ast.dump(value) == ast.dump(node):
                names |= {ast.unparse(target).rpartition(".")[2] for target in targets}
            case ast.AnnAssign(value=ast.expr() as value, target=target) if ast.dump(value) == ast.dump(node):
                names.add(ast.unparse(target).rpartition(".")[2])
    inside = next((part for part in ast.walk(now.modules[path].tree) if _asks(part, names)), None)
    if inside is not None:
        return inside
    others = (part for module in now.modules.values() for part in ast.walk(module.tree))
    return node if any(_asks(part, names) for part in others) else None


def _asks(node: ast.AST, names: set[str]) -> bool:
    match node:
        case ast.Subscript(value=value, ctx=ast.Load(), slice=key) if not isinstance(key, ast.Constant | ast.Slice):
            return ast.unparse(value).rpartition(".")[2] in names
        case ast.Attribute(value=value, attr="index" | "__getitem__"):
            return ast.unparse(value).rpartition(".")[2] in names
    return False


@dataclass(frozen=True)
class _Line:
    """The classes that an object has its methods from, nearest first."""

    classes: tuple[Definition, ...]

    @classmethod
    def of(cls, project: Project, owner: Definition) -> _Line | None:
        """None where a class is not told by the tree."""
        classes = [owner]
        for current in classes:
            assert isinstance(current.node, ast.ClassDef)
            for expression in current.node.bases:
                base = project.find_class(current.path, expression)
                if base is None and ast.unparse(expression) not in ("object", "ABC", "abc.ABC"):
                    return None
                if base is not None and len(classes) < MAX_STEPS:
                    classes.append(base)
        return cls(tuple(classes))

    def list_methods(self) -> dict[str, Function]:
        """The methods that an object has, each as the nearest class has it."""
        methods: dict[str, Function] = {}
        for owner in self.classes:
            for node in getattr(owner.node, "body", ()):
                if isinstance(node, Function):
                    methods.setdefault(node.name, node)
        return methods

    def list_given(self) -> set[str]:
        """The attributes that an object has: from a class, its constructors as they call each other, other methods."""
        attributes: set[str] = set()
        goes_on = True
        for owner in self.classes:
            for node in getattr(owner.node, "body", ()):
                attributes |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
                attributes |= {node.name} if isinstance(node, Function | ast.ClassDef) else set()
                is_constructor = isinstance(node, Function) and node.name == "__init__"
                if isinstance(node, Function) and (goes_on or not is_constructor):
                    attributes |= _list_stored(node)
                if is_constructor:
                    goes_on = goes_on and "__init__(" in ast.unparse(ast.Module(node.body, []))
        return attributes


def _list_stored(function: Function) -> set[str]:
    changed = {id(n.target) for n in ast.walk(function) if isinstance(n, ast.AugAssign)}
    return {
        n.attr for n in ast.walk(function)
        if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) and id(n) not in changed
    }  # fmt: skip


def _find_unset(project: Project, owner: Definition) -> Mapping[str, str]:
    """The attributes that methods of an object read and nobody gives it -> where they are read."""
    line = _Line.of(project, owner)
    if line is None:
        return {}
    methods = line.list_methods()
    if methods.keys() & {"__getattr__", "__getattribute__", "__new__"}:
        return {}
    read = {
        node.attr: f"{holder.path}:{node.lineno}"
        for holder in line.classes
        for method in getattr(holder.node, "body", ()) if method in methods.values()
        for node in ast.walk(method)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    }  # fmt: skip
    attributes = line.list_given()
    return {name: place for name, place in read.items() if name not in attributes}


def _check_state(side: Project, now: Project, path: str, owner: ast.ClassDef) -> Iterator[Interference]:
    later = now.find_class(path, ast.Name(owner.name))
    if later is None:
        return
    before = _find_unset(side, Definition(path, owner.name, owner))
    unset = {name: place for name, place in _find_unset(now, later).items() if name not in before}
    if unset:
        constructor = next((n for n in owner.body if isinstance(n, Function) and n.name == "__init__"), owner)
        names = ", ".join(sorted(unset))
        what = f"{owner.name} does not set up {names}, which the other side has its bases read"
        yield Interference(path, constructor.lineno, owner.name, what, min(unset.values()))
