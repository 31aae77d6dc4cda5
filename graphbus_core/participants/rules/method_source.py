"""Whether a body takes a wider type: every use of the field is found, and is one that the added types allow.

Refuses what it cannot see through: a value that is handed to code that is not read here, a name that is bound twice.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.syntax import is_name

# What a method does with its data, as far as its source says it for certain: what it returns, what it may miss.


Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class ReturnedKeys:
    """Keys that a method gives every time, as literals; `types` holds those whose type is plain to see."""

    always: frozenset[str]
    types: Mapping[str, str]


def find_definition(source: str, name: str) -> Function | None:
    """The method's definition in the text of its class, or None."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError:
        return None
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for item in node.body:
                if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and item.name == name:
                    return item
    return None


def find_publisher(source: str, topic: str) -> str | None:
    """The one method that publishes to `topic` by that name, or None."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError:
        return None
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    publishers = [f.name for f in functions if any(_is_publish_call(n, topic) for n in _list_own_nodes(f))]
    return publishers[0] if len(publishers) == 1 else None


def find_returned_keys(function: Function, topic: str | None, declared: Mapping[str, str]) -> ReturnedKeys | None:
    """What `function` returns, or publishes to `topic`, if every time it is a dict literal with plain keys.

    `declared`: parameter -> type.
    """
    literals: list[dict[str, ast.expr]] = []
    for node in _list_own_nodes(function):
        value: ast.expr | None
        if topic is None and isinstance(node, ast.Return):
            value = node.value
        elif topic is not None and isinstance(node, ast.Call) and _is_publish_call(node, topic):
            value = node.args[1] if len(node.args) > 1 else None
        elif topic is None and isinstance(node, ast.Yield | ast.YieldFrom):
            return None
        else:
            continue
        keys = _read_dict_literal(value)
        if keys is None:
            return None
        literals.append(keys)
    if not literals:
        return None
    always = frozenset.intersection(*(frozenset(keys) for keys in literals))
    types: dict[str, str] = {}
    for key in always:
        kinds = {_infer_type(keys[key], declared) for keys in literals}
        if len(kinds) == 1 and (kind := kinds.pop()) is not None:
            types[key] = kind
    return ReturnedKeys(always, types)


def may_lack(function: Function, path: str) -> bool:
    """Whether a field is read only in ways that allow it to be missing: `payload.get("qty", 0)`.

    `path` is a field of the payload that a handler takes whole, or `order.gift`, a field of the parameter `order`.
    """
    names = [a.arg for a in (*function.args.args, *function.args.kwonlyargs) if a.arg not in ("self", "cls")]
    outer, _, field = path.rpartition(".")
    if outer not in names and (outer or len(names) != 1):
        return False
    payload, careful, careless = outer or names[0], 0, 0
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and is_name(node.value, payload) and _is_text(node.slice, field):
            careless += 1
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "get"
            and is_name(node.func.value, payload)
            and len(node.args) == 2
            and _is_text(node.args[0], field)
        ):
            careful += 1
    return careful > 0 and careless == 0


def find_access(function: Function, field: str) -> str | None:
    """The expression by which `function` reaches a field of its input, or None where that is not plain.

    A function that reads its one argument as a payload finds the field in there; any other has it as a parameter.
    """
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    names = [a.arg for a in arguments if a.arg not in ("self", "cls")]
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    if len(names) == 1 and any(_is_payload_use(n, names[0]) for n in ast.walk(function)):
        return None if names[0] in stored else f'{names[0]}["{field}"]'
    return None if field in stored else field


def _is_payload_use(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Subscript | ast.Attribute) and is_name(node.value, name)


def _is_publish_call(node: ast.AST, topic: str) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "publish"
        and is_name(node.func.value, "self")
        and bool(node.args)
        and _is_text(node.args[0], topic)
    )


def _list_own_nodes(function: Function) -> list[ast.AST]:
    """Every node of the function's own body, not of functions nested in it."""
    todo: list[ast.AST] = list(function.body)
    nodes: list[ast.AST] = []
    while todo:
        node = todo.pop()
        nodes.append(node)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo.extend(ast.iter_child_nodes(node))
    return nodes


def _read_dict_literal(value: ast.expr | None) -> dict[str, ast.expr] | None:
    if not isinstance(value, ast.Dict):
        return None
    keys: dict[str, ast.expr] = {}
    for key, item in zip(value.keys, value.values, strict=True):
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            return None
        keys[key.value] = item
    return keys


_CALLS = {
    "str": "str",
    "repr": "str",
    "int": "int",
    "len": "int",
    "float": "float",
    "bool": "bool",
    "sorted": "list",
    "list": "list",
    "dict": "dict",
}


def _infer_type(value: ast.expr, declared: Mapping[str, str]) -> str | None:
    match value:
        case ast.Constant(value=bool()):
            return "bool"
        case ast.Constant(value=str() | int() | float() as constant):
            return type(constant).__name__
        case ast.JoinedStr():
            return "str"
        case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
            return _CALLS[name]
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return "bool"
        case ast.Name(id=name):
            return declared.get(name)
    return None


def _is_text(node: ast.expr, text: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == text


def list_input_types(schema: Mapping[str, Any] | None, names: Mapping[str, str | None]) -> dict[str, str]:
    """Field -> annotation for the fields of an input contract that have one. `names`: field -> annotation."""
    fields = (schema or {}).get("properties", {})
    required = (schema or {}).get("required", ())
    return {name: note for name in fields if name in required and (note := names.get(name)) is not None}


NUMBERS = frozenset({"int", "float"})  # no bool: arithmetic on a yes or no runs, and means nothing
_PRINTS = frozenset({"str", "repr", "print"})
_ROUNDS = frozenset({"round", "abs", "int", "float", "max", "min", "str", "repr", "print"})


def explain_cannot_take(function: Function, path: str, own: frozenset[str], added: frozenset[str]) -> str | None:
    """Why the body may not take the `added` types for a field that was of the types `own`; None where it does."""
    body = _FunctionBody(function)
    uses = body.find_uses(path)
    if uses is None:
        return f"nobody can tell from its source where '{path}' goes"
    if not uses:
        return f"its source never reads '{path}' by that name"
    for node in uses:
        for kind in sorted(added):
            if not body.allows(node, kind, own):
                line = ast.unparse(body.find_statement(node)).splitlines()[0][:80]
                return f"`{line}` does not take {'None' if kind == 'None' else f'a {kind}'}"
    return None


class _FunctionBody:
    """A function's nodes with their parents."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        self.names = [a.arg for a in arguments if a.arg not in ("self", "cls")]

    # ---- where the field is read

    def find_uses(self, path: str) -> list[ast.expr] | None:
        """Every expression that is the field's value; None where a part of the way is lost from sight."""
        steps = [step for step in re.split(r"\.|(\[\])", path) if step]
        if steps[0] in self.names:
            nodes = self._find_loads(steps.pop(0))
        elif len(self.names) == 1:
            nodes = self._find_loads(self.names[0])
        else:
            return None
        for step in steps:
            if nodes is None:
                return None
            nodes = self._find_elements(nodes) if step == "[]" else self._find_key_reads(nodes, step)
        return None if nodes is None else self._follow_assignments(nodes)

    def _find_loads(self, name: str) -> list[ast.expr] | None:
        nodes = [n for n in ast.walk(self.function) if isinstance(n, ast.Name) and n.id == name]
        return None if any(not isinstance(n.ctx, ast.Load) for n in nodes) else list(nodes)

    def _follow_assignments(self, nodes: list[ast.expr]) -> list[ast.expr] | None:
        """The uses, those under a name that the value is given with them."""
        followed: list[ast.expr] = []
        for node in nodes:
            parent = self.parents[node]
            if not isinstance(parent, ast.Assign) or parent.value is not node:
                followed.append(node)
                continue
            target = parent.targets[0]
            if len(parent.targets) != 1 or not isinstance(target, ast.Name):
                return None
            more = self._find_single_binding(target.id)
            if more is None:
                return None
            followed += more
        return followed

    def _find_single_binding(self, name: str) -> list[ast.expr] | None:
        nodes = [n for n in ast.walk(self.function) if isinstance(n, ast.Name) and n.id == name]
        if name in self.names or sum(not isinstance(n.ctx, ast.Load) for n in nodes) != 1:
            return None
        return [n for n in nodes if isinstance(n.ctx, ast.Load)]

    def _find_elements(self, nodes: list[ast.expr]) -> list[ast.expr] | None:
        """The elements of these containers; looking at a container's size or truth is no way into it."""
        inner: list[ast.expr] = []
        for node in self._follow_assignments(nodes) or []:
            parent = self.parents[node]
            if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
                bound = self._find_single_binding(parent.target.id) if isinstance(parent.target, ast.Name) else None
                if bound is None:
                    return None
                inner += bound
            elif not (_find_called_name(parent) in ("len", "bool") or self._is_tested(node)):
                return None
        return inner

    def _find_key_reads(self, nodes: list[ast.expr], key: str) -> list[ast.expr] | None:
        inner: list[ast.expr] = []
        for node in self._follow_assignments(nodes) or []:
            parent = self.parents[node]
            if isinstance(parent, ast.Subscript) and parent.value is node and isinstance(parent.slice, ast.Constant):
                if parent.slice.value == key:
                    inner.append(parent)
                continue
            call = self.parents.get(parent)
            is_get = isinstance(parent, ast.Attribute) and parent.attr == "get" and isinstance(call, ast.Call)
            if not is_get or not isinstance(call, ast.Call) or not call.args:
                return None
            key_node = call.args[0]
            if not isinstance(key_node, ast.Constant):
                return None
            if key_node.value == key:
                inner.append(call)
        return inner

    # ---- what a use allows

    def allows(self, node: ast.expr, kind: str, own: frozenset[str]) -> bool:
        """Whether this use works with a value of the added type."""
        if self._is_guarded(node, kind):
            return True
        if kind == "None":
            return self._is_tested(node)
        parent = self.parents[node]
        if self._is_handed_on(parent):
            return True
        if kind in NUMBERS and own <= NUMBERS:  # elsewhere a comparison runs, and is never true
            return _is_equal(parent) or self._is_arithmetic(node, parent)
        return _find_called_name(parent) in _PRINTS or (
            isinstance(parent, ast.FormattedValue) and parent.format_spec is None
        )

    def _is_handed_on(self, parent: ast.AST) -> bool:
        """Into a dict that is given back: whether its contract takes that too is tried by the rehearsal."""
        return isinstance(parent, ast.Dict) and isinstance(self.parents.get(parent), ast.Return)

    def _is_arithmetic(self, node: ast.expr, parent: ast.AST) -> bool:
        match parent:
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.FloorDiv() | ast.Mod() | ast.Pow()):
                other = parent.right if parent.left is node else parent.left
                return not isinstance(other, ast.JoinedStr | ast.List | ast.Tuple) and not (
                    isinstance(other, ast.Constant) and isinstance(other.value, str | bytes)
                )
            case ast.UnaryOp() | ast.Compare():
                return True
            case ast.FormattedValue():
                spec = ast.unparse(parent.format_spec).strip("f'\"") if parent.format_spec else ""
                return not spec.endswith(tuple("dxXobcn"))
        return _find_called_name(parent) in _ROUNDS

    def _is_tested(self, node: ast.expr) -> bool:
        """`x is None`, `x or …`, `if x`: what a value that may be missing is asked."""
        parent = self.parents[node]
        match parent:
            case ast.Compare(ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()], comparators=[other]):
                return other is node or isinstance(other, ast.Constant)
            case ast.BoolOp(op=ast.Or(), values=values):
                return values[-1] is not node
            case ast.If() | ast.IfExp() | ast.While():
                return parent.test is node
        return isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)

    def _is_guarded(self, node: ast.expr, kind: str) -> bool:
        """Whether it stands where `isinstance` has been asked of the very value, or inside that question; for None also
        where its truth was asked."""
        text, ancestor = ast.unparse(node), self.parents.get(node)
        while ancestor is not None and ancestor is not self.function:
            if _find_called_name(ancestor) == "isinstance":
                return True
            if isinstance(ancestor, ast.If | ast.IfExp) and any(
                _find_called_name(n) == "isinstance" and isinstance(n, ast.Call) and ast.unparse(n.args[0]) == text
                for n in ast.walk(ancestor.test)
            ):
                return True
            if kind == "None" and isinstance(ancestor, ast.If | ast.IfExp) and self._is_in_body(node, ancestor):
                tested = ast.unparse(ancestor.test)
                if tested in (text, f"{text} is not None"):
                    return True
            ancestor = self.parents.get(ancestor)
        return False

    def _is_in_body(self, node: ast.AST, test: ast.If | ast.IfExp) -> bool:
        body = test.body if isinstance(test.body, list) else [test.body]
        return any(node is inner for statement in body for inner in ast.walk(statement))

    def find_statement(self, node: ast.AST) -> ast.AST:
        """The statement that a node stands in."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node


def _find_called_name(node: ast.AST | None) -> str | None:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def _is_equal(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) and all(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops)


def list_union_members(annotation: str) -> Iterator[str]:
    """The types that an annotation is a union of: `list[str] | None` -> `list`, `None`."""
    tree = ast.parse(annotation, mode="eval").body
    todo = [tree]
    while todo:
        member = todo.pop()
        if isinstance(member, ast.BinOp) and isinstance(member.op, ast.BitOr):
            todo += [member.left, member.right]
        elif isinstance(member, ast.Subscript):
            yield ast.unparse(member.value)
        else:
            yield ast.unparse(member)
