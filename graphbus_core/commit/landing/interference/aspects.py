"""What can be relied on of a definition, each as a value that can be compared: parameters, results, errors, keys."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from graphbus_core.commit.landing.interference.definitions import Definition, Function, Project

MAX_CALLS = 3  # deep, that an error is followed through


def read_parameters(definition: Definition) -> list[tuple[str, str, ast.expr | None]] | None:
    """Name, kind and default of each parameter of a function or a constructor; None where the text does not tell."""
    node = definition.node
    if not isinstance(node, Function):
        return None
    args = node.args
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    out: list[tuple[str, str, ast.expr | None]] = [(a.arg, "plain", d) for a, d in zip(plain, defaults, strict=True)]
    if definition.owner is not None and out and "staticmethod" not in read_decorators(node):
        out = out[1:]
    if args.vararg:
        out.append((args.vararg.arg, "rest", None))
    out += [(a.arg, "keyword", d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    if args.kwarg:
        out.append((args.kwarg.arg, "rest by name", None))
    return out


def read_fields(owner: ast.ClassDef) -> list[tuple[str, str, ast.expr | None]]:
    """The fields of a class that has no constructor of its own, as the parameters of one."""
    return [
        (s.target.id, "plain", s.value)
        for s in owner.body
        if isinstance(s, ast.AnnAssign)
        and isinstance(s.target, ast.Name)
        and "ClassVar" not in ast.unparse(s.annotation)
    ]


def read_decorators(node: Function) -> set[str]:
    """The last name of each decorator."""
    return {ast.unparse(d.func if isinstance(d, ast.Call) else d).rpartition(".")[2] for d in node.decorator_list}


def bind_call(call: ast.Call, parameters: Sequence[tuple[str, str, ast.expr | None]]) -> dict[str, str] | None:
    """Parameter -> which argument it gets, or the default that it falls back on; None where the call does not fit."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return {}
    plain = [name for name, kind, _ in parameters if kind == "plain"]
    kinds = {kind for _, kind, _ in parameters}
    if len(call.args) > len(plain) and "rest" not in kinds:
        return None
    bound = {name: f"argument {i + 1}" for i, name in enumerate(plain[: len(call.args)])}
    known = {name for name, kind, _ in parameters if kind in ("plain", "keyword")}
    for keyword in call.keywords:
        if keyword.arg in known and keyword.arg not in bound:
            bound[str(keyword.arg)] = f"{keyword.arg}="
        elif "rest by name" not in kinds:
            return None
    for name, kind, default in parameters:
        if kind in ("plain", "keyword") and name not in bound:
            if default is None:
                return None
            bound[name] = f"its default {ast.unparse(default)}"
    return bound


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions in it."""
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        inner = waiting.pop()
        yield inner
        if not isinstance(inner, Function | ast.ClassDef | ast.Lambda):
            waiting += ast.iter_child_nodes(inner)


def read_result(node: Function) -> frozenset[str]:
    """The shapes that it gives: `tuple of 2`, `dict of 'a', 'b'`, `None`; `?` for what its text does not tell."""
    nodes = list(own_nodes(node))
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in nodes):
        values = [n.value for n in nodes if isinstance(n, ast.Yield)]
        return frozenset({"generator", *(f"each {_describe(v, node)}" for v in values)})
    shapes = {_describe(n.value, node) for n in nodes if isinstance(n, ast.Return)}
    return frozenset(shapes or {"None"})


def _describe(value: ast.expr | None, function: Function, steps: int = 0) -> str:
    match value:
        case None | ast.Constant(value=None):
            return "None"
        case ast.Constant(value=constant):
            return type(constant).__name__
        case ast.JoinedStr():
            return "str"
        case ast.Tuple(elts=elements):
            return f"tuple of {len(elements)}"
        case ast.Dict(keys=keys):
            return "dict of " + ", ".join(sorted(ast.unparse(k) if k else "**" for k in keys))
        case ast.List() | ast.ListComp():
            return "list"
        case ast.Set() | ast.SetComp():
            return "set"
        case ast.DictComp():
            return "dict"
        case ast.GeneratorExp():
            return "generator"
        case ast.Call(func=ast.Name(id=name)):
            return "list" if name == "sorted" else name
        case ast.Name(id=name) if steps < MAX_CALLS:
            return _describe_local(name, function, steps)
    return "?"


def _describe_local(name: str, function: Function, steps: int) -> str:
    """The shape of what a local name is given, with the keys that are put into it later."""
    assignments = [n for n in own_nodes(function) if isinstance(n, ast.Assign)]
    shapes = {
        _describe(n.value, function, steps + 1)
        for n in assignments
        if any(isinstance(t, ast.Name) and t.id == name for t in n.targets)
    }
    if len(shapes) != 1:
        return "?"
    shape = shapes.pop()
    if not shape.startswith("dict of "):
        return shape
    added = {
        repr(t.slice.value) for n in assignments for t in n.targets
        if isinstance(t, ast.Subscript) and isinstance(t.value, ast.Name) and t.value.id == name
        and isinstance(t.slice, ast.Constant)
    }  # fmt: skip
    return "dict of " + ", ".join(sorted({*shape.removeprefix("dict of ").split(", "), *added} - {""}))


def fits(before: frozenset[str], now: frozenset[str]) -> bool:
    """Whether who reads one result can read the other: a dict may have more keys, nothing else may differ."""
    if before == now:
        return True
    left, right = sorted(before - now), sorted(now - before)
    if len(left) != len(right):
        return False
    return all(
        a.startswith("dict of") and b.startswith("dict of")
        and set(a.removeprefix("dict of ").split(", ")) <= set(b.removeprefix("dict of ").split(", "))
        for a, b in zip(left, right, strict=True)
    )  # fmt: skip


def read_slice(node: Function) -> tuple[str, ...]:
    """What its result is computed with: literals, operators and calls of the values that reach a `return`."""
    waiting = [n.value for n in own_nodes(node) if isinstance(n, ast.Return | ast.Yield) and n.value is not None]
    words: list[str] = []
    known: set[str] = set()
    assigned = list(_read_assigned(node))
    while waiting:
        value = waiting.pop()
        for inner in ast.walk(value):
            match inner:
                case ast.Constant(value=int() | float() | str() as constant):
                    words.append(repr(constant))
                case ast.operator() | ast.unaryop() | ast.cmpop():
                    words.append(type(inner).__name__)
                case ast.Name(id=name, ctx=ast.Load()) if name not in known:
                    known.add(name)
                    waiting += [v for target, v in assigned if target == name]
    return tuple(sorted(set(words)))


def _read_assigned(node: Function) -> Iterator[tuple[str, ast.expr]]:
    for inner in own_nodes(node):
        if isinstance(inner, ast.Assign | ast.AugAssign | ast.AnnAssign) and inner.value is not None:
            value: ast.expr = inner.value
            if isinstance(inner, ast.AugAssign):
                value = ast.BinOp(ast.Constant(None), inner.op, inner.value)
            targets = inner.targets if isinstance(inner, ast.Assign) else [inner.target]
            yield from ((t.id, value) for target in targets for t in ast.walk(target) if isinstance(t, ast.Name))
        elif isinstance(inner, ast.For | ast.AsyncFor):
            yield from ((t.id, inner.iter) for t in ast.walk(inner.target) if isinstance(t, ast.Name))


def read_raised(project: Project, definition: Definition, steps: int = 0) -> set[str]:
    """The errors that a function raises, itself or in functions of the tree that it calls."""
    out: set[str] = set()
    for node in own_nodes(definition.node):
        if isinstance(node, ast.Raise) and node.exc is not None:
            error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            out.add(ast.unparse(error).rpartition(".")[2])
        elif isinstance(node, ast.Call) and steps < MAX_CALLS:
            callee = project.find_name(definition.path, node.func.id) if isinstance(node.func, ast.Name) else None
            if isinstance(callee, Definition) and isinstance(callee.node, Function):
                out |= read_raised(project, callee, steps + 1)
    return out


def is_kind_of(project: Project, error: str, caught: str) -> bool:
    """Whether an error is of the class that a handler names."""
    if error == caught or caught in ("Exception", "BaseException"):
        return True
    known = getattr(builtins, error, None), getattr(builtins, caught, None)
    if isinstance(known[0], type) and isinstance(known[1], type):
        return issubclass(known[0], known[1])
    for module in project.modules.values():
        node = module.names.get(error)
        if isinstance(node, ast.ClassDef):
            names = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
            return any(name != error and is_kind_of(project, name, caught) for name in names)
    return False
