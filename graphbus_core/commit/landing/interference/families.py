"""What one side gave to every member of a family, and the other side's new member lacks.

Whoever takes a lock in each method that writes a list, hands a tenant to each call of a query or puts a rate into each
entry of a table means the next one, too, and cannot see it. A family is what shares something that makes it one: the
methods that write one attribute, the functions under one decorator, the calls of one function, the entries of one
table, the subclasses of one class. Text in, no imports.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from graphbus_core.commit.landing.interference.copies import walk_functions
from graphbus_core.commit.landing.interference.definitions import Function, Module, Project
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.editing.scope import is_test_file

MIN_MEMBERS = 2  # that were given the same; of the methods that write one attribute, one is all there were

_Family = tuple[str, ...]  # the kind of family first, what it is called last


@dataclass(frozen=True)
class _Member:
    """One of a family, and what it has."""

    path: str
    scope: str
    name: str
    has: frozenset[str]
    line: int = field(compare=False)
    hands_on: frozenset[str] = frozenset()  # members of its class that do it for this one


def check_families(old: Project, side: Project, now: Project) -> Iterator[Interference]:
    """The new members of a side that lack what the other side gave to all old ones."""
    paths = side.list_changed(old)
    fresh, stale = (_read_families(project, paths) for project in (side, old))
    wanted = {family for family, members in fresh.items() if members.keys() - stale.get(family, {}).keys()}
    before, own, left = (_read_families(p, list(p.modules), wanted) if wanted else {} for p in (old, side, now))
    for family, members in own.items():
        known, later = before.get(family, {}), left.get(family, {})
        if len(known) < (1 if family[0] == "writers" else MIN_MEMBERS) or not members.keys() > known.keys():
            continue
        common = _find_given(known, later)
        if len(known) < MIN_MEMBERS:  # the one method that there was: what it does with its own object is meant for all
            common = frozenset(what for what in common if what.removeprefix("with ").startswith("self."))
        if not common or any(common <= member.has for member in known.values()):
            continue
        for name in sorted(members.keys() - known.keys()):
            new = later.get(name)
            if new is None or new.has & common or any(common <= later[n].has for n in new.hands_on & later.keys()):
                continue
            what = f"the other side gave {', '.join(sorted(common))} to all {family[-1]}, and this one lacks it"
            there = next(later[n] for n in sorted(known))
            yield Interference(members[name].path, members[name].line, new.scope, what, f"{there.path}:{there.line}")


def _find_given(known: dict[str, _Member], later: dict[str, _Member]) -> frozenset[str]:
    """What all old members have in the merged tree and did not have."""
    if not known.keys() <= later.keys():
        return frozenset()
    return frozenset.intersection(*(later[name].has - member.has for name, member in known.items()))


# Of each module, as long as it is there: it is asked for in each tree that has it, and for each side.
_MEMBERS: WeakKeyDictionary[Module, list[tuple[_Family, _Member]]] = WeakKeyDictionary()


def _read_families(
    project: Project, paths: list[str], wanted: Collection[_Family] | None = None
) -> dict[_Family, dict[str, _Member]]:
    families: dict[_Family, dict[str, _Member]] = {}
    for path in paths:
        module = project.modules.get(path)
        if module is None or is_test_file(path):
            continue
        if module not in _MEMBERS:
            _MEMBERS[module] = list(_iter_members(path, module.tree))
        for family, member in _MEMBERS[module]:
            if wanted is None or family in wanted:
                families.setdefault(family, {}).setdefault(member.name, member)
    return families


def _iter_members(path: str, tree: ast.Module) -> Iterator[tuple[_Family, _Member]]:
    for scope, function in walk_functions(tree, ""):
        yield from _iter_of_function(path, scope, function)
        yield from _iter_calls(path, scope, function)
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef():
                names = frozenset(f"{name}" for name in _list_names(node))
                for base in node.bases:
                    head = ast.unparse(base).rpartition(".")[2]
                    yield ("kinds", f"kinds of {head}"), _Member(path, node.name, node.name, names, node.lineno)
            case (
                ast.Assign(targets=[ast.Name(id=table)], value=value)
                | ast.AnnAssign(target=ast.Name(id=table), value=ast.expr() as value)
            ):
                yield from _iter_entries(path, table, value)


def _iter_of_function(path: str, scope: str, function: Function) -> Iterator[tuple[_Family, _Member]]:
    """A function among those under its decorators; a method among those that write an attribute."""
    has = frozenset(_list_done(function))
    owner, _, name = scope.rpartition(".")
    hands_on = frozenset(
        f"{owner}.{n.func.attr}" for n in ast.walk(function)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and getattr(n.func.value, "id", "") == "self"
    )  # fmt: skip
    member = _Member(path, scope, scope if owner else f"{path}::{scope}", has, function.lineno, hands_on)
    for decorator in function.decorator_list:
        head = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator).rpartition(".")[2]
        yield ("decorated", f"functions under {head}"), member
    if owner and name != "__init__":
        for attribute in _list_written(function):
            yield ("writers", path, owner, f"methods of {owner} that write {attribute}"), member
        for attribute in _list_used(function):
            yield ("users", path, owner, f"methods of {owner} that use {attribute}"), member


def _list_done(function: Function) -> Iterator[str]:
    """What a function does for its effect: its decorators, what it holds, calls, fills and raises."""
    for decorator in function.decorator_list:
        yield f"@{ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)}"
    for node in ast.walk(function):
        match node:
            case ast.With(items=items):
                yield from (f"with {ast.unparse(item.context_expr)}" for item in items)
            case ast.Expr(value=ast.Call(func=func)):
                yield f"{ast.unparse(func)}(...)"
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)]):
                yield f"self.{name} = ..."
            case ast.Raise(exc=ast.expr() as error):
                yield f"raise {ast.unparse(error.func if isinstance(error, ast.Call) else error)}"


def _list_written(function: Function) -> set[str]:
    """The attributes of its object that a method gives a value or an entry, or calls for their effect."""
    attributes: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store() | ast.Del()):
                attributes.add(name)
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="self"), attr=name), ctx=ast.Store() | ast.Del()):
                attributes.add(name)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name(id="self"), attr=name)))
            ):
                attributes.add(name)
    return attributes


def _list_used(function: Function) -> set[str]:
    """The attributes of its object that a method reads or writes, and does not call."""
    callees = {id(n.func) for n in ast.walk(function) if isinstance(n, ast.Call)}
    return {
        n.attr for n in ast.walk(function)
        if isinstance(n, ast.Attribute) and id(n) not in callees and getattr(n.value, "id", "") == "self"
    }  # fmt: skip


def _iter_calls(path: str, scope: str, function: Function) -> Iterator[tuple[_Family, _Member]]:
    """A call among those of one function: by which names it gives arguments, and how many by place."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and not any(k.arg is None for k in node.keywords):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            has = frozenset([f"{k.arg}=" for k in node.keywords] + [f"argument {i + 1}" for i in range(len(node.args))])
            text = f"{path} {scope} {ast.dump(node.args[0]) if node.args else ''}"
            yield ("calls", f"calls of {name}"), _Member(path, scope, text, has, node.lineno)


def _iter_entries(path: str, table: str, value: ast.expr) -> Iterator[tuple[_Family, _Member]]:
    """The entries of a table, by their keys or by the names that they give to what makes them."""
    pairs: list[tuple[str, ast.expr]] = []
    if isinstance(value, ast.Dict):
        pairs = [(ast.unparse(k), v) for k, v in zip(value.keys, value.values, strict=True) if k is not None]
    elif isinstance(value, ast.List | ast.Tuple):
        pairs = [(_name_entry(part), part) for part in value.elts]
    for name, entry in pairs:
        match entry:
            case ast.Dict(keys=keys):
                has = frozenset(ast.unparse(k) for k in keys if k is not None)
            case ast.Call(keywords=keywords, args=args):
                has = frozenset([f"{k.arg}=" for k in keywords] + [f"argument {i + 1}" for i in range(len(args))])
            case ast.Tuple(elts=parts):
                has = frozenset(f"part {i + 1}" for i in range(len(parts)))
            case _:
                continue
        yield ("entries", path, f"entries of {table}"), _Member(path, "module", name, has, entry.lineno)


def _name_entry(entry: ast.expr) -> str:
    """What an entry of a list is known by: the first that stands in it."""
    match entry:
        case ast.Dict(values=[first, *_]) | ast.Tuple(elts=[first, *_]) | ast.Call(args=[first, *_]):
            return ast.unparse(first)
    return ast.unparse(entry)


def _list_names(owner: ast.ClassDef) -> Iterator[str]:
    for statement in owner.body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield f"{name}()"
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name
