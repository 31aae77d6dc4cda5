"""New code that takes the rest of a set of values for granted, and the other side added a value to that rest.

An `else` behind the states that are named, a `!=`, a `not isinstance`: each was written for the values that there were.
Which values a place may have is told by an enum, by the classes beside each other, and by the texts that are put into
an attribute or under a key. Text in, no imports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from graphbus_core.commit.landing.interference.completeness import MIN_MEMBERS, list_members
from graphbus_core.commit.landing.interference.copies import walk_functions
from graphbus_core.commit.landing.interference.definitions import Function, Module, Project
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.editing.scope import is_test_file

_Values = Mapping[str, dict[str, str]]  # of a set: each value, and where it is put there


@dataclass(frozen=True)
class _Test:
    """What a condition holds something against: values of one set. `is_not`: it is for the others."""

    subject: str
    of: str
    values: frozenset[str]
    is_not: bool


def check_rests(old: Project, side: Project, now: Project) -> Iterator[Interference]:
    """The places of a side's new code that stand for all other values of a set that has more in the merged tree."""
    if not any(list(_iter_rests(side, path)) for path in side.list_changed(old) if not is_test_file(path)):
        return
    before, later = _read_sets(side), _read_sets(now)
    grown = {of: values for of, values in later.items() if len(before.get(of, ())) >= MIN_MEMBERS
             and values.keys() > before[of].keys()}  # fmt: skip
    for path in side.list_changed(old) if grown else ():
        if is_test_file(path) or path not in now.modules:
            continue
        known, standing = ({(scope, text) for scope, text, _, _ in _iter_rests(p, path)} for p in (old, now))
        for scope, text, line, test in _iter_rests(side, path):
            if (scope, text) in known or (scope, text) not in standing:
                continue
            for of in grown.keys() & _list_sets(test, before):
                rest = before[of].keys() - test.values
                new = {value: place for value, place in grown[of].items() if value not in before[of]}
                if not rest or not test.values <= before[of].keys():
                    continue
                what = f"it takes whatever is not {', '.join(sorted(test.values))} for {', '.join(sorted(rest))}"
                what += f", and the other side added {', '.join(sorted(new))}"
                yield Interference(path, line, scope, what, min(new.values()))


def _list_sets(test: _Test, sets: _Values) -> set[str]:
    """The sets that a condition may speak of: of classes, those that have all that it names."""
    if test.of:
        return {test.of}
    return {of for of, values in sets.items() if of.startswith("kinds of ") and test.values <= values.keys()}


# Of each module, as long as it is there: it is asked for in each tree that has it, and for each side.
_VALUES: WeakKeyDictionary[Module, list[tuple[str, str, str]]] = WeakKeyDictionary()


def _read_sets(project: Project) -> _Values:
    """The values of each enum, of each family of classes, and of each attribute or key that texts are put into."""
    sets: dict[str, dict[str, str]] = {}
    for path, module in project.modules.items():
        if is_test_file(path):
            continue
        if module not in _VALUES:
            _VALUES[module] = list(_iter_values(path, module.tree))
        for of, value, place in _VALUES[module]:
            sets.setdefault(of, {}).setdefault(value, place)
    return sets


def _iter_values(path: str, tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for name, line in list_members(node).items():
                yield f"enum {node.name}", f"{node.name}.{name}", f"{path}:{line}"
            for base in node.bases:
                yield f"kinds of {ast.unparse(base).rpartition('.')[2]}", node.name, f"{path}:{node.lineno}"
        for name, value in _iter_put(node):
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
                yield f"values of {name}", repr(value.value), f"{path}:{value.lineno}"


def _iter_put(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What is put into an attribute or under a key, by its name."""
    match node:
        case ast.Assign(targets=[ast.Attribute(attr=name)], value=value):
            yield name, value
        case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=str() as name))], value=value):
            yield name, value
        case ast.keyword(arg=str() as name, value=value):
            yield name, value
        case ast.Dict(keys=keys, values=values):
            yield from ((k.value, v) for k, v in zip(keys, values, strict=True)
                        if isinstance(k, ast.Constant) and isinstance(k.value, str))  # fmt: skip
        case ast.arguments(args=args, defaults=[_, *_] as defaults):
            yield from ((a.arg, d) for a, d in zip(args[-len(defaults) :], defaults, strict=True))


def _iter_rests(project: Project, path: str) -> Iterator[tuple[str, str, int, _Test]]:
    """The conditions of a file that stand for all other values: where, the text, the line, and what they name."""
    module = project.modules.get(path)
    for scope, function in walk_functions(module.tree, "") if module else ():
        conditions = [n for n in ast.walk(function) if isinstance(n, ast.If)]
        left_out = {id(n.orelse[0]) for n in conditions if len(n.orelse) == 1}
        left_out |= {id(n.test) for n in conditions if _does_nothing(n.body)}  # a guard: only what it names goes on
        for node, following in _walk_with_following(function):
            test: _Test | None = None
            if isinstance(node, ast.If) and id(node) not in left_out:
                test = _read_chain(node, following)
            elif isinstance(node, ast.IfExp):
                first = _read_test(node.test)
                test = first if first and not first.is_not and not _is_nothing(node.orelse) else None
            elif isinstance(node, ast.Compare | ast.UnaryOp) and id(node) not in left_out:
                first = _read_test(node)
                test = first if first and first.is_not else None
            if test is not None:
                yield scope, ast.dump(node), node.lineno, test


def _walk_with_following(function: Function) -> Iterator[tuple[ast.expr | ast.stmt, list[ast.stmt]]]:
    """Every node of a function; of a statement, with what comes behind it in its block."""
    for node in ast.walk(function):
        for _, value in ast.iter_fields(node):
            for i, part in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(part, ast.stmt) and isinstance(value, list):
                    yield part, value[i + 1 :]
                elif isinstance(part, ast.expr):
                    yield part, []


def _read_chain(node: ast.If, following: list[ast.stmt]) -> _Test | None:
    """The values that an `if` and its `elif` name, where an `else`, or what follows, does something for the rest."""
    values: set[str] = set()
    first = _read_test(node.test)
    current: ast.If | None = node
    leaves = True
    while current is not None:
        test = _read_test(current.test)
        if first is None or test is None or test.is_not or (test.subject, test.of) != (first.subject, first.of):
            return None
        values |= test.values
        leaves = leaves and isinstance(current.body[-1], ast.Return | ast.Continue | ast.Raise | ast.Break)
        match current.orelse:
            case [ast.If() as following_if]:
                current = following_if
            case rest:
                rest = rest or (following if leaves else [])
                does = bool(rest) and not _does_nothing(rest)
                return _Test(first.subject, first.of, frozenset(values), False) if does and first else None
    return None


def _does_nothing(rest: list[ast.stmt]) -> bool:
    """Whether what is done with the rest is nothing: an error, or an empty answer."""
    first = rest[0]
    if isinstance(first, ast.Return):
        return first.value is None or _is_nothing(first.value)
    return isinstance(first, ast.Raise | ast.Pass | ast.Continue | ast.Break | ast.Assert)


def _is_nothing(value: ast.expr) -> bool:
    """An empty answer: None, False, 0, an empty text or list, or the thing as it came."""
    if isinstance(value, ast.Constant):
        return not value.value
    return not any(isinstance(n, ast.Constant | ast.Call) for n in ast.walk(value))


def _read_test(node: ast.expr) -> _Test | None:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _read_test(operand)
            return _Test(inner.subject, inner.of, inner.values, not inner.is_not) if inner else None
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq() | ast.In()], comparators=[right]):
            return _read_values(left, right, False)
        case ast.Compare(left=left, ops=[ast.IsNot() | ast.NotEq() | ast.NotIn()], comparators=[right]):
            return _read_values(left, right, True)
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, kinds]):
            parts = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
            names = frozenset(ast.unparse(part).rpartition(".")[2] for part in parts)
            return _Test(ast.unparse(subject), "", names, False)
    return None


def _read_values(left: ast.expr, right: ast.expr, is_not: bool) -> _Test | None:
    """What something is held against: members of an enum, or texts that an attribute or a key may have."""
    parts = right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else [right]
    if all(isinstance(p, ast.Attribute) and isinstance(p.value, ast.Name) for p in parts) and parts:
        owner = ast.unparse(parts[0]).partition(".")[0]
        return _Test(ast.unparse(left), f"enum {owner}", frozenset(map(ast.unparse, parts)), is_not)
    name = left.attr if isinstance(left, ast.Attribute) else ""
    if isinstance(left, ast.Subscript) and isinstance(left.slice, ast.Constant):
        name = str(left.slice.value)
    texts = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    if name and texts and len(texts) == len(parts):
        return _Test(ast.unparse(left), f"values of {name}", frozenset(map(repr, texts)), is_not)
    return None
