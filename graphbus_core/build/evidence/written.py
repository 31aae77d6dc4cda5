"""What stands in words at either end of a link: a declared alias, a docstring's line that says what a field is."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Iterator

from graphbus_core.contracts.gaps import Gap
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Link
from graphbus_core.participants.rules.evidence import last
from graphbus_core.participants.rules.names import opposed
from graphbus_core.participants.rules.said import explained_in
from graphbus_core.syntax import last_name


def written(
    link: Link,
    ends: tuple[AgentDefinition, AgentDefinition],
    gap: Gap,
    other: str,
    read: Callable[[str], bytes],
) -> Iterator[tuple[str, str, str]]:
    """What stands at either end: a declared alias, a docstring's line that names both."""
    name = last(gap.path)
    for agent, method, mine, theirs in (
        (ends[1], link.consumer.method, name, other),
        (ends[0], link.producer.method, other, name),
    ):
        for line in _aliases(agent, method, read(agent.source_file), mine, theirs):
            yield "alias", f"'{theirs}' is declared an alias of '{mine}'", f"{agent.source_file}:{line}"
    if opposed(name, other):
        return
    giver, taker = ((end.node, end.method or "") for end in (link.producer, link.consumer))
    named = (
        (ends[1], link.consumer.method, name, other, giver),
        (ends[0], link.producer.method, other, name, taker),
    )
    for agent, method, mine, theirs, far in named:
        for text in _docstring(agent, method):
            if explained_in(text, mine, theirs, far):
                says = f"the docstring of {agent.name}.{method} says that '{mine}' is '{theirs}'"
                yield "described", says, agent.source_file


def _aliases(agent: AgentDefinition, method: str | None, source: bytes, field: str, other: str) -> Iterator[int]:
    """Lines where `field` is annotated with `Alias("other")`, or a pydantic alias: at the method, or in what its module
    defines and the method names (a TypedDict, a constant). Another method of the class may mean another thing by it."""
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    tops = {name: node for node in module.body for name in _defines(node)}
    starts = [*_own_words(tops.get(agent.class_name.rpartition(".")[2]), method)]
    reached: dict[int, ast.AST] = {}
    while starts:
        at = starts.pop()
        if id(at) not in reached:
            reached[id(at)] = at
            starts += [tops[n.id] for n in ast.walk(at) if isinstance(n, ast.Name) and n.id in tops]
    for node in (n for at in reached.values() for n in ast.walk(at)):
        for name, annotation in _annotated(node):
            if name == field and any(_is_alias(call, other) for call in ast.walk(annotation)):
                yield annotation.lineno


def _own_words(cls: ast.stmt | None, method: str | None) -> Iterator[ast.AST]:
    """Where a method's contract may stand: its decorators and signature; of a topic, the decorators of all methods."""
    for node in getattr(cls, "body", ()):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and method in (None, node.name):
            yield from (*node.decorator_list, node.args, *([node.returns] if node.returns else ()))
    if method is None and isinstance(cls, ast.ClassDef):
        yield from cls.decorator_list


def _defines(node: ast.stmt) -> list[str]:
    match node:
        case ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _annotated(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Names with what is said of their type: keys of a contract, parameters, fields of a class."""
    match node:
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value
        case ast.arg(arg=name, annotation=ast.expr() as annotation):
            yield name, annotation
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
            yield name, annotation
            if value is not None:
                yield name, value


def _is_alias(node: ast.AST, other: str) -> bool:
    if not isinstance(node, ast.Call):
        return False
    given = [*node.args] if last_name(node.func) in ("Alias", "AliasChoices") else []
    given += [k.value for k in node.keywords if k.arg in ("alias", "validation_alias", "serialization_alias")]
    return any(isinstance(one, ast.Constant) and one.value == other for one in given)


def _docstring(agent: AgentDefinition, method: str | None) -> list[str]:
    """The lines of a method's docstring."""
    try:
        tree = ast.parse(textwrap.dedent(agent.source_code))
    except (SyntaxError, ValueError):
        return []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == method:
            return (ast.get_docstring(node) or "").splitlines()
    return []
