"""What can be relied on of a definition, each as a value that can be compared: parameters, results, errors, keys."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphbus_core.commit.landing.interference.definitions import Definition, Function, Project
from graphbus_core.commit.landing.interference.specialise import specialise

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


def list_defaults(call: ast.Call, parameters: Sequence[tuple[str, str, ast.expr | None]]) -> dict[str, ast.Constant]:
    """The constants that a call leaves parameters at."""
    bound = bind_call(call, parameters) or {}
    return {
        name: default
        for name, _, default in parameters
        if bound.get(name, "").startswith("its default") and isinstance(default, ast.Constant)
    }


def list_attribute_defaults(
    owner: ast.ClassDef, constructor: Function, defaults: Mapping[str, ast.Constant]
) -> dict[str, ast.Constant]:
    """The attributes, as `self.name`, that a constructor fills with such constants and the class never fills again."""
    stores = Counter(
        n.attr for n in ast.walk(owner) if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load)
    )
    found: dict[str, ast.Constant] = {}
    for statement in constructor.body:
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=attr)], value=ast.Name(id=name)):
                if name in defaults and stores[attr] == 1:
                    found[f"self.{attr}"] = defaults[name]
    return found


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions in it."""
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        inner = waiting.pop()
        yield inner
        if not isinstance(inner, Function | ast.ClassDef | ast.Lambda):
            waiting += ast.iter_child_nodes(inner)


def read_result(node: Function) -> frozenset[str]:
    """The shapes that it gives: `tuple of 2`, `dict of 'a', 'b'`, `None`; `? text` for what its text does not tell."""
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
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _describe(operand, function, steps)
        case ast.UnaryOp(op=ast.Not()) | ast.Compare():
            return "bool"
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
    return f"? {ast.unparse(value)}"


def _describe_local(name: str, function: Function, steps: int) -> str:
    """The shape of what a local name is given, with the keys that are put into it later."""
    assignments = [n for n in own_nodes(function) if isinstance(n, ast.Assign)]
    shapes = {
        _describe(n.value, function, steps + 1)
        for n in assignments
        if any(isinstance(t, ast.Name) and t.id == name for t in n.targets)
    }
    if len(shapes) != 1:
        return f"? {name}"
    shape = shapes.pop()
    if not shape.startswith("dict of "):
        return shape
    added = {
        repr(t.slice.value) for n in assignments for t in n.targets
        if isinstance(t, ast.Subscript) and isinstance(t.value, ast.Name) and t.value.id == name
        and isinstance(t.slice, ast.Constant)
    }  # fmt: skip
    return "dict of " + ", ".join(sorted({*shape.removeprefix("dict of ").split(", "), *added} - {""}))


def read_body(
    project: Project,
    definition: Definition,
    wanted: Collection[object] | None = None,
    steps: int = 0,
    constants: Mapping[str, ast.Constant] | None = None,
    bound: Mapping[str, str] | None = None,
) -> str:
    """What a function does: its text without docstring, hints and names of locals, and what it calls in the tree.

    `wanted`: the keys or places of a result of which the others are of no interest; all of it where it is None.
    `constants`: the parameters that are known. `bound`: what a call gives to each, where there is one.
    """
    node = definition.node
    if not isinstance(node, Function):
        return ""
    node = specialise(node, constants or {})
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    own = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    own |= {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    used = {n.id for part in body for n in ast.walk(part) if isinstance(n, ast.Name)}
    parameters = [a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg) and a.arg in used]
    parameters.sort(key=lambda name: (bound or {}).get(name, ""))  # else by their places: `a - b` is not `b - a`
    numbers = {name: i for i, name in enumerate(parameters)}
    parts = [" ".join(_spell(n, own, numbers, wanted)) for n in (*node.decorator_list, *body)]
    if steps < MAX_CALLS:
        parts += [read_body(project, callee, None, steps + 1) for callee in _list_callees(project, definition)]
    return "\n".join(parts)


def _spell(
    node: object, own: Collection[str], numbers: dict[str, int], wanted: Collection[object] | None
) -> Iterator[str]:
    """A text as words: locals by number, in the order in which they are met; of results what is wanted."""
    match node:
        case ast.Name(id=name) if name in own:
            yield f"_{numbers.setdefault(name, len(numbers))}"
        case ast.Return(value=ast.Dict(keys=keys, values=values)) if wanted is not None:
            for key, value in zip(keys, values, strict=True):
                if not isinstance(key, ast.Constant) or key.value in wanted:
                    yield from _spell(key, own, numbers, None)
                    yield from _spell(value, own, numbers, None)
        case ast.Return(value=ast.Tuple(elts=parts)) if wanted is not None:
            for i, part in enumerate(parts):
                if i in wanted:
                    yield from _spell(part, own, numbers, None)
        case ast.arg(arg=name):
            yield f"_{numbers.setdefault(name, len(numbers))}"
        case ast.AnnAssign(target=target, value=value):
            yield "Assign"
            yield from _spell([target], own, numbers, None)
            yield from _spell(value, own, numbers, None)
        case ast.AST():
            yield type(node).__name__
            for field, value in ast.iter_fields(node):
                if field not in ("ctx", "type_comment", "kind", "annotation", "returns"):
                    yield from _spell(value, own, numbers, wanted)
        case list():
            for item in node:
                yield from _spell(item, own, numbers, wanted)
            yield "."
        case _:
            yield repr(node)


@dataclass(frozen=True)
class Keeping:
    """How a class fills and reads an attribute: the statements in which it stands, and the methods that they are in."""

    fills: Counter[str]
    reads: Counter[str]
    methods: dict[str, list[str]]

    def list_changed(self, other: Keeping) -> list[str]:
        """The methods in which it stands otherwise, or anew."""
        return [name for name, texts in self.methods.items() if texts != other.methods.get(name)]


def read_keeping(owner: ast.ClassDef, attribute: str) -> Keeping:
    """The statements of a class in which one of its attributes stands."""
    fills: Counter[str] = Counter()
    reads: Counter[str] = Counter()
    methods: dict[str, list[str]] = {}
    for method in (m for m in owner.body if isinstance(m, Function)):
        for node in ast.walk(method):
            if isinstance(node, ast.stmt) and node is not method and _stands_in_head(node, attribute):
                text = " ".join(_spell(node, (), {}, None))
                (fills if _is_filled(node, attribute) else reads)[text] += 1
                methods.setdefault(f"{owner.name}.{method.name}", []).append(text)
    return Keeping(fills, reads, methods)


def holds_entries(assignment: ast.AST) -> bool:
    """Whether an attribute begins as a list, a table, or what is called into being without arguments, as those are."""
    value = getattr(assignment, "value", None)
    empty = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not value.keywords
    return empty or isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp)


def _is_filled(statement: ast.stmt, attribute: str) -> bool:
    """Whether a statement gives the attribute a value, or calls a method of it for its effect alone."""
    if isinstance(statement, ast.Expr):
        return True
    return any(
        isinstance(n, ast.Attribute) and n.attr == attribute and not isinstance(n.ctx, ast.Load)
        for n in ast.walk(statement)
    )


def _stands_in_head(statement: ast.stmt, attribute: str) -> bool:
    """Whether an attribute stands in a statement, outside of the statements in it."""
    waiting = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]
    return any(isinstance(n, ast.Attribute) and n.attr == attribute for child in waiting for n in ast.walk(child))


def list_reached(project: Project, definition: Definition, steps: int = 0) -> Iterator[Definition]:
    """A function, and those that it calls in the tree, as far as `read_body` reads them."""
    yield definition
    for callee in _list_callees(project, definition) if steps < MAX_CALLS else ():
        yield from list_reached(project, callee, steps + 1)


def _list_callees(project: Project, definition: Definition) -> Iterator[Definition]:
    """The functions of the tree that a function calls by name, or on itself; each once, none twice in a circle."""
    seen: set[str] = {definition.name}
    for node in ast.walk(definition.node):
        match node:
            case ast.Call(func=ast.Name(id=name)):
                meaning = project.find_name(definition.path, name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) if definition.owner is not None:
                owner = Definition(definition.path, definition.owner.name, definition.owner)
                meaning = project.find_member(owner, name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=head), attr=name)):
                meaning = project.find_in_module(definition.path, head, name)
            case _:
                continue
        if isinstance(meaning, Definition) and meaning.name not in seen:
            seen.add(meaning.name)
            yield meaning


def read_option(project: Project, definition: Definition, name: str, steps: int = 0) -> str:
    """What becomes of an argument that a function takes with `**`: it is read there, or handed on to who takes it."""
    node = definition.node
    assert isinstance(node, Function)
    if any(isinstance(n, ast.Constant) and n.value == name for n in ast.walk(node)):
        return "read"
    ends = {"handed on"}
    for call in (n for n in ast.walk(node) if isinstance(n, ast.Call)):
        spread = [k.value.id for k in call.keywords if k.arg is None and isinstance(k.value, ast.Name)]
        if node.args.kwarg is None or node.args.kwarg.arg not in spread or not isinstance(call.func, ast.Name):
            continue
        callee = project.find_name(definition.path, call.func.id)
        if isinstance(callee, Definition) and isinstance(callee.node, Function) and steps < MAX_CALLS:
            parameters = read_parameters(callee) or []
            if any(name == known and kind in ("plain", "keyword") for known, kind, _ in parameters):
                ends.add(f"taken by {callee.name}")
            elif any(kind == "rest by name" for _, kind, _ in parameters):
                ends.add(read_option(project, callee, name, steps + 1))
            else:
                ends.add(f"not taken by {callee.name}")
    return max(ends)


def accepts_calls_of(override: Function, overridden: Sequence[tuple[str, str, ast.expr | None]]) -> bool:
    """Whether a method can be called as the one that it stands in for."""
    own = read_parameters(Definition("", "", override, ast.ClassDef("", [], [], [], []))) or []
    asked = [name for name, kind, default in overridden if kind == "plain" and default is None]
    keywords = [name for name, kind, default in overridden if kind == "keyword" and default is None]
    call = ast.Call(
        ast.Name("f"), [ast.Constant(None) for _ in asked], [ast.keyword(name, ast.Constant(None)) for name in keywords]
    )
    return bind_call(call, own) is not None


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
