"""LangGraph: who writes which key of a graph's state, and who reads it.

A node is a function that `add_node` names. It writes the keys of the dict that it returns, or of `Command(update=…)`;
it reads `state["key"]`, `state.get("key")` and `state.key`. Graphs that hold each other as nodes share their keys.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from graphbus_core.inference.frameworks.interface import Edge, ProjectSource, Unread
from graphbus_core.inference.source import FunctionNode
from graphbus_core.syntax import walk_body

Found = tuple[str, str]


@dataclass
class _Graph:
    nodes: set[Found] = field(default_factory=set)
    parts: set[Found] = field(default_factory=set)  # compiled graphs that are nodes of this one


@dataclass
class _Node:
    writes: dict[str, int] = field(default_factory=dict)  # key -> line
    reads: dict[str, int] = field(default_factory=dict)


class LangGraphReader:
    """Reads `StateGraph`s."""

    packages = ("langgraph",)

    def read(self, source: ProjectSource) -> Iterator[Edge | Unread]:
        """An edge for each key that one node writes and another reads."""
        graphs: dict[Found, _Graph] = {}
        builders: dict[Found, Found] = {}  # a compiled graph -> its builder
        for path in source.paths:
            if source.mentions(path, "StateGraph", "add_node"):
                yield from self._read_file(source, path, graphs, builders)
        for members in _join_graphs(graphs, builders):
            nodes = {found: _read_node(source, found) for key in members for found in graphs[key].nodes}
            for found, node in nodes.items():
                if not node.writes and (line := _find_computed_update(source, found)):
                    yield Unread("state that is put together elsewhere", f"{found[0]}:{line}")
            yield from self._pair(source, nodes)

    def _read_file(
        self, source: ProjectSource, path: str, graphs: dict[Found, _Graph], builders: dict[Found, Found]
    ) -> Iterator[Unread]:
        for node in ast.walk(source.parse(path) or ast.Module([], [])):
            match node:
                case ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.Call(func=ast.Attribute(value=ast.Name(id=builder), attr="compile")),
                ):
                    builders[path, name] = (path, builder)
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="add_node"), args=[_, *_] as args):
                    scope = source.find_around(path, node)
                    graph = graphs.setdefault((path, f"{scope}:{name}" if scope else name), _Graph())
                    target = args[1] if len(args) > 1 else args[0]
                    found = source.resolve(path, target)
                    if isinstance(target, ast.Call) and getattr(target.func, "attr", "") == "compile":
                        found = source.resolve(path, target.func.value)  # type: ignore[attr-defined]
                    if found is not None and source.find_function(found) is not None:
                        graph.nodes.add(found)
                    elif found is not None and source.find_value(found) is not None:
                        graph.parts.add(found)
                    else:
                        yield Unread("a node that is made elsewhere", f"{path}:{node.lineno}")

    def _pair(self, source: ProjectSource, nodes: dict[Found, _Node]) -> Iterator[Edge]:
        for writer, written in nodes.items():
            for reader, read in nodes.items():
                for key in written.writes.keys() & read.reads.keys():
                    if writer != reader:
                        places = (f"{writer[0]}:{written.writes[key]}", f"{reader[0]}:{read.reads[key]}")
                        yield Edge("state", source.name(*writer), source.name(*reader), key, places)


def _join_graphs(graphs: dict[Found, _Graph], builders: dict[Found, Found]) -> list[set[Found]]:
    """The graphs in groups: one that is a node of another shares its state."""
    groups: list[set[Found]] = []
    for key, graph in graphs.items():
        members = {key, *(builders.get(part, part) for part in graph.parts)} & graphs.keys()
        for group in [group for group in groups if group & members]:
            members |= group
            groups.remove(group)
        groups.append(members)
    return groups


def _read_node(source: ProjectSource, found: Found, depth: int = 0) -> _Node:
    function = source.find_function(found)
    node = _Node()
    if function is None:
        return node
    parameters = [a for a in [*function.args.posonlyargs, *function.args.args] if a.arg not in ("self", "cls")]
    state = parameters[0].arg if parameters else ""
    for part in walk_body(function.body):
        match part:
            case ast.Return(value=ast.expr() as value):
                _add_keys(node, function, value)
            case ast.Call(func=ast.Name(id="Command") | ast.Attribute(attr="Command"), keywords=keywords):
                for keyword in keywords:
                    if keyword.arg == "update":
                        _add_keys(node, function, keyword.value)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as key), ctx=ast.Load()):
                if name == state:
                    node.reads.setdefault(key, part.lineno)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[ast.Constant(value=str() as key), *_]
            ) if name == state:
                node.reads.setdefault(key, part.lineno)
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Load()) if name == state:
                if attr not in ("get", "keys", "items", "values", "copy", "model_dump", "dict"):
                    node.reads.setdefault(attr, part.lineno)
            case ast.Call(func=callee, args=[ast.Name(id=name), *_]) if name == state and depth < 2:
                # A helper that gets the whole state reads it for the node.
                helper = source.resolve(found[0], callee)
                if helper is not None and helper != found:
                    node.reads |= dict.fromkeys(_read_node(source, helper, depth + 1).reads, part.lineno)
    return node


def _add_keys(node: _Node, function: FunctionNode, value: ast.expr) -> None:
    """The keys of a dict, as it is written or as a local name was filled."""
    match value:
        case ast.Dict(keys=keys):
            for key in keys:
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    node.writes.setdefault(key.value, key.lineno)
        case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
            for keyword in keywords:
                if keyword.arg:
                    node.writes.setdefault(keyword.arg, keyword.lineno)
        case ast.IfExp(body=body, orelse=orelse):
            _add_keys(node, function, body)
            _add_keys(node, function, orelse)
        case ast.Name(id=name):
            for part in walk_body(function.body):
                match part:
                    case (
                        ast.Assign(targets=[ast.Name(id=word)], value=filled)
                        | ast.AnnAssign(target=ast.Name(id=word), value=ast.expr() as filled)
                    ) if word == name and not isinstance(filled, ast.Name):
                        _add_keys(node, function, filled)
                    case ast.Assign(
                        targets=[ast.Subscript(value=ast.Name(id=word), slice=ast.Constant(value=str() as written))]
                    ) if word == name:
                        node.writes.setdefault(written, part.lineno)


def _find_computed_update(source: ProjectSource, found: Found) -> int:
    """The line of a `return` whose keys nobody can tell; 0 where there is none."""
    function = source.find_function(found)
    for part in walk_body(function.body) if function is not None else ():
        if isinstance(part, ast.Return) and isinstance(part.value, ast.Call | ast.Await | ast.Name | ast.DictComp):
            callee = part.value.func if isinstance(part.value, ast.Call) else part.value
            if getattr(callee, "id", getattr(callee, "attr", "")) not in ("Command", "Send"):
                return part.lineno
    return 0
