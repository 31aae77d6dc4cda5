"""What a method does with its data, as far as its own text says it for certain: what it returns, what it may miss."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.syntax import is_name

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
