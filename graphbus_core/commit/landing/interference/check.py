"""The uses that one side added, and what of the definitions behind them the other side changed.

A use sees aspects of a definition: that it is there, how its arguments are bound, which defaults stand in for others,
what shape its result has, which errors it raises. Each is read in the tree of the side that wrote the use and in the
merged tree. What differs was changed by the other side, under a use that it could not know.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from graphbus_core.commit.landing.interference.aspects import (
    bind_call,
    fits,
    is_kind_of,
    read_decorators,
    read_fields,
    read_parameters,
    read_raised,
    read_result,
    read_slice,
)
from graphbus_core.commit.landing.interference.definitions import Definition, Foreign, Function, Module, Project
from graphbus_core.commit.landing.interference.uses import Use, iter_uses, resolve
from graphbus_core.editing.scope import is_test_file

_KEY = re.compile(r"[\w.:/-]{2,}")


@dataclass(frozen=True)
class Interference:
    """A use of one side, and what the other side changed under it. `soft`: a test that runs both answers it."""

    path: str
    line: int
    scope: str
    what: str
    there: str = ""  # where it was changed: `path:line`
    soft: tuple[tuple[str, str], ...] = ()  # (file, function) that a test must run, in order to answer it

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}" + (f" ({self.there})" if self.there else "")


@dataclass(frozen=True)
class _Aspect:
    value: object
    definition: Definition | None


def find_interference(
    base: Mapping[str, bytes], ours: Mapping[str, bytes], theirs: Mapping[str, bytes], merged: Mapping[str, bytes]
) -> list[Interference]:
    """What one side relies on since the base and the other side changed. Tests speak for themselves."""
    old = Project(base)
    mine = Project(ours, old)
    other = Project(theirs, old, mine)
    now = Project(merged, old, mine, other)
    read: dict[Module, _Keys] = {}
    found: list[Interference] = []
    for side in (mine, other):
        found += _check_uses(old, side, now)
    keys = [_read_keys(project, read) for project in (old, mine, other, now)]
    found += _check_keys(*keys)
    found += _check_keys(keys[0], keys[2], keys[1], keys[3])
    return list(dict.fromkeys(found))


def _check_uses(old: Project, side: Project, now: Project) -> Iterator[Interference]:
    before = [use for path in old.list_changed(side) for use in iter_uses(old, path)]
    known = Counter(use.key for use in before)
    places = {(use.path, use.scope, use.key) for use in before}
    changed = [path for path in side.list_changed(old) if not is_test_file(path)]
    uses = [use for path in changed for use in iter_uses(side, path)]
    counts = Counter(use.key for use in uses)
    standing = {(use.path, use.key): use for path in changed for use in iter_uses(now, path)}
    for use in uses:
        if counts[use.key] <= known[use.key] or (use.path, use.scope, use.key) in places:
            continue
        there = standing.get((use.path, use.key))
        if there is not None:
            yield from _compare(use, read_aspects(side, use), read_aspects(now, there))


def _compare(use: Use, before: Mapping[str, _Aspect], now: Mapping[str, _Aspect]) -> Iterator[Interference]:
    for name, aspect in before.items():
        other = now.get(name)
        if other is None or other.value == aspect.value:
            continue
        if name == "result" and fits(aspect.value, other.value):  # type: ignore[arg-type]
            continue
        definition = other.definition or aspect.definition
        there = f"{definition.path}:{definition.line}" if definition else ""
        soft: tuple[tuple[str, str], ...] = ()
        if name == "computed" and definition is not None and use.function is not None:
            soft = ((use.path, use.scope), (definition.path, definition.name))
        yield Interference(use.path, use.line, use.scope, _tell(use, name, aspect.value, other.value), there, soft)


def _tell(use: Use, name: str, before: object, now: object) -> str:
    node = use.node
    text = ast.unparse(node.func if isinstance(node, ast.Call) else node).split("\n")[0][:80]
    if isinstance(now, frozenset):
        before, now = (", ".join(sorted(v)) if isinstance(v, frozenset) else v for v in (before, now))
    match name:
        case "there":
            return f"{text}: what it names was there on its side and is gone"
        case "computed":
            return f"{text}: the other side changed what its result is computed from"
    return f"{text}: {name} was {_shorten(before)} on its side and is {_shorten(now)}"


def _shorten(value: object) -> str:
    return str(value)[:120]


def read_aspects(project: Project, use: Use) -> dict[str, _Aspect]:
    """What a use sees of what it means, aspect by aspect."""
    match use.node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return _read_override(project, use)
        case ast.ClassDef():
            return _read_duties(project, use)
        case ast.ImportFrom():
            return dict(_read_imported(project, use.path, use.node))
    meaning = resolve(project, use)
    if isinstance(meaning, Foreign):
        return {}
    aspects = {"there": _Aspect(meaning is not None, meaning)}
    if meaning is None:
        return aspects
    node = meaning.node
    if isinstance(node, Function):
        aspects |= _read_function(project, use, meaning)
    elif isinstance(node, ast.ClassDef):
        aspects |= _read_construction(project, use, meaning)
    elif isinstance(node, ast.Assign | ast.AnnAssign) and not use.is_called:
        aspects |= _read_value(use, meaning)
    return aspects


def _read_imported(project: Project, path: str, node: ast.ImportFrom) -> Iterator[tuple[str, _Aspect]]:
    for alias in node.names:
        if alias.name != "*":
            meaning = project.find_imported(path, node.level, node.module or "", alias.name)
            definition = meaning if isinstance(meaning, Definition) else None
            yield f"import of {alias.name}", _Aspect("gone" if meaning is None else "there", definition)


def _read_function(project: Project, use: Use, definition: Definition) -> dict[str, _Aspect]:
    node = definition.node
    assert isinstance(node, Function)
    form = "async" if isinstance(node, ast.AsyncFunctionDef) else "plain"
    form += "".join(f" {d}" for d in sorted(read_decorators(node) & {"property", "cached_property", "contextmanager"}))
    out = {"kind": _Aspect(form, definition)}
    is_property = "property" in form
    if not use.is_called and not is_property:
        return out  # handed on: who calls it, and how, is not told here
    parameters = read_parameters(definition)
    if parameters is not None and isinstance(use.node, ast.Call):
        bound = bind_call(use.node, parameters)
        out["call"] = _Aspect("not accepted" if bound is None else "accepted", definition)
        out |= {f"parameter {name}": _Aspect(how, definition) for name, how in (bound or {}).items()}
    for error in use.caught:
        if error not in ("Exception", "BaseException"):
            raised = any(is_kind_of(project, r, error) for r in read_raised(project, definition))
            out[f"raising {error}"] = _Aspect(raised, definition)
    if use.is_read or use.is_awaited:
        out["result"] = _Aspect(read_result(node), definition)
        out["computed"] = _Aspect(read_slice(node), definition)
    return out


def _read_construction(project: Project, use: Use, definition: Definition) -> dict[str, _Aspect]:
    owner = definition.node
    if not isinstance(use.node, ast.Call) or not isinstance(owner, ast.ClassDef):
        return {}
    constructor = project.find_member(definition, "__init__")
    parameters = None
    if isinstance(constructor, Definition):
        parameters = read_parameters(constructor)
    elif owner.decorator_list or owner.bases:
        parameters = read_fields(owner) or None
    if parameters is None:
        return {}
    bound = bind_call(use.node, parameters)
    out = {"call": _Aspect("not accepted" if bound is None else "accepted", definition)}
    return out | {f"parameter {name}": _Aspect(how, definition) for name, how in (bound or {}).items()}


def _read_value(use: Use, definition: Definition) -> dict[str, _Aspect]:
    """What a constant is; of one that is not a literal, nothing."""
    value = getattr(definition.node, "value", None)
    try:
        return {"value": _Aspect(repr(ast.literal_eval(value)), definition)} if value is not None else {}
    except (ValueError, TypeError, SyntaxError):
        return {}


def _read_override(project: Project, use: Use) -> dict[str, _Aspect]:
    """Which method of a base a method stands in for, and what that one promises."""
    assert isinstance(use.node, Function)
    if use.owner is None or not use.owner.bases:
        return {}
    owner = Definition(use.path, use.owner.name, use.owner)
    name = use.node.name
    meaning = project.find_member(owner, name, inherited=True)
    if isinstance(meaning, Foreign) or (name.startswith("__") and name.endswith("__")):
        return {}
    if meaning is None or not isinstance(meaning.node, Function):
        return {"overridden method": _Aspect("none" if meaning is None else "no method", meaning)}
    parameters = [(n, kind) for n, kind, _ in read_parameters(meaning) or []]
    return {
        "overridden method": _Aspect("there", meaning),
        "its parameters": _Aspect(parameters, meaning),
        "its kind": _Aspect(type(meaning.node).__name__, meaning),
        "result": _Aspect(read_result(meaning.node), meaning),
    }


def _read_duties(project: Project, use: Use) -> dict[str, _Aspect]:
    """The methods that the bases of a class ask for and that it does not have."""
    assert isinstance(use.node, ast.ClassDef)
    owner = Definition(use.path, use.node.name, use.node)
    open_names: set[str] = set()
    giver: Definition | None = None
    waiting = [project.find_class(use.path, base) for base in use.node.bases]
    while waiting:
        base = waiting.pop()
        if base is None or not isinstance(base.node, ast.ClassDef):
            continue
        waiting += [project.find_class(base.path, b) for b in base.node.bases]
        for method in base.node.body:
            if isinstance(method, Function) and is_abstract(method):
                standing = project.find_member(owner, method.name)
                if isinstance(standing, Definition) and standing.node is method:
                    open_names.add(method.name)
                    giver = Definition(base.path, f"{base.name}.{method.name}", method, base.node)
    return {"what its bases leave to it": _Aspect(tuple(sorted(open_names)), giver)}


def is_abstract(method: Function) -> bool:
    """Whether a method says that somebody else must write it."""
    if "abstractmethod" in read_decorators(method):
        return True
    last = method.body[-1]
    return isinstance(last, ast.Raise) and last.exc is not None and "NotImplementedError" in ast.unparse(last.exc)


# ---- names in quotes: keys, events, entries of a registry


def _check_keys(before: _Keys, mine: _Keys, beside: _Keys, left: _Keys) -> Iterator[Interference]:
    """A name in quotes that a side gave a new use, and whose other ends the other side took away."""
    for key, places in mine.items():
        new = {where for where in places if where[1:] not in {w[1:] for w in before.get(key, ())}}
        if not new or key not in before:
            continue
        written = {where[1:] for where in new}
        for need in sorted(new):
            ends = [w for w in before[key] if w[0] != need[0]]
            still = [w for w in left.get(key, ()) if w[0] != need[0] and w[1:] not in written]
            if ends and not still and not any(w[0] != need[0] for w in beside.get(key, ())):
                there = f"{ends[0][1]}:{before[key][ends[0]]}"
                yield Interference(need[1], places[need], need[2], f"{key!r}: {_tell_end(ends[0][0])}", there)


def _tell_end(role: str) -> str:
    match role:
        case "given":
            return "nobody gives it any more"
        case "read":
            return "nobody reads it any more"
    return f"its {role} is gone"


_Where = tuple[str, str, str, str]  # role, path, scope, text around it
_Keys = dict[str, dict[_Where, int]]


def _read_keys(project: Project, known: dict[Module, _Keys]) -> _Keys:
    """Each name in quotes -> where it is given or read, outside of tests. `known`: by the module, for the next tree."""
    found: _Keys = {}
    for path, module in project.modules.items():
        if is_test_file(path):
            continue
        if module not in known:
            known[module] = _read_module_keys(path, module)
        for key, places in known[module].items():
            found.setdefault(key, {}).update(places)
    return found


def _read_module_keys(path: str, module: Module) -> _Keys:
    found: _Keys = {}
    for scope, parent in _walk_scopes(module.tree, "module"):
        for key, role in _read_roles(parent):
            if _KEY.fullmatch(key):
                found.setdefault(key, {})[role, path, scope, ast.dump(parent)] = getattr(parent, "lineno", 0)
    return found


def _walk_scopes(node: ast.AST, scope: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        yield scope, child
        inner = scope
        if isinstance(child, Function | ast.ClassDef):
            inner = child.name if scope == "module" else f"{scope}.{child.name}"
        yield from _walk_scopes(child, inner)


def _read_roles(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names in quotes of an expression, and whether it gives or reads what stands under them."""
    match node:
        case ast.Dict(keys=keys):
            yield from ((k.value, "given") for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str))
        case ast.Subscript(slice=ast.Constant(value=str() as key), ctx=context):
            yield key, "given" if isinstance(context, ast.Store) else "read"
        case ast.Compare(left=left, comparators=comparators):
            yield from ((text, "read") for text in _list_texts(left, *comparators))
        case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
            yield from ((k.arg, "given") for k in keywords if k.arg)
        case ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[ast.Constant(value=str() as key), *_]):
            yield key, "read"
        case ast.Call(func=func, args=args):
            name = ast.unparse(func).rpartition(".")[2]
            yield from ((text, f"call of {name}") for text in _list_texts(*args))
        case ast.Assign(value=value) | ast.AnnAssign(value=value) | ast.Return(value=value) | ast.keyword(value=value):
            yield from ((text, "given") for text in _list_texts(value))
        case ast.MatchValue(value=value):
            yield from ((text, "read") for text in _list_texts(value))


def _list_texts(*nodes: ast.AST | None) -> Iterator[str]:
    for node in nodes:
        parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
        yield from (p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str))
