"""A name in quotes that a side newly reads, and that the other side gives or handles otherwise than before.

The name is still given and still read, so nothing is missing: a setting in another unit, a payload that counts from
another day. What the other side changed is the value that a function gives under it, or the statement that reads it.
Text in, names out.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from graphbus_core.commit.landing.interference.copies import walk_functions
from graphbus_core.commit.landing.interference.definitions import Function, Module, Project
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.editing.scope import is_test_file

_Scope = tuple[str, str]  # file, function
_TABLE = frozenset(["{}"])
_Handled = dict[_Scope, dict[str, Counter[str]]]  # of each function: each name, and the texts around it


def check_meanings(old: Project, side: Project, now: Project) -> Iterator[Interference]:
    """The functions of a side that newly handle a name which the other side's functions handle otherwise."""
    paths = now.list_changed(old)  # what neither side changed is handled as before
    before, own, left = (_read_handled(project, paths) for project in (old, side, now))
    changed: dict[str, list[_Scope]] = {}
    for scope, names in before.items():
        for name, texts in names.items() if own.get(scope) == names else ():
            if name in left.get(scope, {}) and left[scope][name] != texts:
                changed.setdefault(name, []).append(scope)
    for scope in own if changed else ():
        for name in sorted(own[scope].keys() & changed.keys() - before.get(scope, {}).keys()):
            function = dict(walk_functions(side.modules[scope[0]].tree, ""))[scope[1]]
            line = next((n.lineno for n in ast.walk(function) if isinstance(n, ast.Constant) and n.value == name), 0)
            if name not in left.get(scope, {}):
                continue
            for end in changed[name]:
                there = next(f.lineno for n, f in walk_functions(now.modules[end[0]].tree, "") if n == end[1])
                what = f"{name!r}: the other side changed what {end[1]} does with it"
                yield Interference(
                    *(scope[0], line, scope[1], what, f"{end[0]}:{there}", (scope, end)),
                    behind=end, is_computed=True, calls=True,
                )  # fmt: skip


# Of each module, as long as it is there: it is asked for in each tree that has it, and for each side.
_HANDLED: WeakKeyDictionary[Module, dict[str, dict[str, Counter[str]]]] = WeakKeyDictionary()


def _read_handled(project: Project, paths: list[str]) -> _Handled:
    handled: _Handled = {}
    for path in paths:
        module = project.modules.get(path)
        if module is None or is_test_file(path):
            continue
        if module not in _HANDLED:
            _HANDLED[module] = {}
            for scope, function in walk_functions(module.tree, ""):
                names: dict[str, Counter[str]] = {}
                for name, text in _iter_handled(function):
                    names.setdefault(name, Counter())[text] += 1
                if names:
                    _HANDLED[module][scope] = names
        handled |= {(path, scope): names for scope, names in _HANDLED[module].items()}
    return handled


def _iter_handled(function: Function) -> Iterator[tuple[str, str]]:
    """The names under which a function gives or reads something, and what it gives, or what it makes of what it reads:
    the largest expression that reads nothing under another name."""
    inside: dict[int, frozenset[str]] = {}
    _collect_names(function, inside)
    if not inside[id(function)]:
        return
    stores = Counter(n.id for n in ast.walk(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    once = {
        s.targets[0].id: s.value for s in ast.walk(function)
        if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) and stores[s.targets[0].id] == 1
    }  # fmt: skip
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        names = inside[id(node)]
        if isinstance(node, ast.expr) and len(names) == 1 and names != _TABLE:
            yield next(iter(names)), _spell(node)
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, _spell(once.get(value.id, value) if isinstance(value, ast.Name) else value)


def _collect_names(node: ast.AST, inside: dict[int, frozenset[str]]) -> frozenset[str]:
    """The names that are read in each node; a table stands for two, as it gives under names of its own."""
    names = frozenset[str]().union(*(_collect_names(child, inside) for child in ast.iter_child_nodes(node)))
    name = _read_name(node)
    names = (
        names | ({name} if name is not None else frozenset()) | (_TABLE if isinstance(node, ast.Dict) else frozenset())
    )
    inside[id(node)] = names
    return names


def _read_name(node: ast.AST) -> str | None:
    """The name under which an expression reads or gives something."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str() as name)):
            return name
        case ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[ast.Constant(value=str() as name), *_]):
            return name
    return None


def _spell(node: ast.AST) -> str:
    """What is done with what is read, wherever it is read from: `_ / 1000` of `self.settings["timeout"] / 1000`."""
    if isinstance(node, ast.Attribute | ast.Subscript | ast.Name) or _read_name(node) is not None:
        return "_"
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        parts = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return f"{name}({', '.join(_spell(part) for part in (*parts, *node.args, *node.keywords))})"
    if isinstance(node, ast.Constant):
        return repr(node.value)
    inner = [_spell(n) for n in ast.iter_child_nodes(node) if not isinstance(n, ast.expr_context)]
    return f"{type(node).__name__}({', '.join(inner)})"
