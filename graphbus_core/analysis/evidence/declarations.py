"""What a person declared at either end of a link: an alias, or one type of the project's own that both fields carry."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from graphbus_core.analysis.evidence.rule import Ground
from graphbus_core.analysis.index import ClassRef, Index
from graphbus_core.analysis.project import ProjectAnalysis
from graphbus_core.analysis.values import CallResult
from graphbus_core.contracts.check import Gap
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Endpoint, Link
from graphbus_core.participants.rules.evidence import extract_field_name
from graphbus_core.syntax import last_name

Ends = tuple[AgentDefinition, AgentDefinition]
_WRAPPING = frozenset({"NotRequired", "Required", "ReadOnly", "Annotated"})  # their first part is the type


def find_declarations(link: Link, ends: Ends, gap: Gap, other: str, project: ProjectAnalysis) -> Iterator[Ground]:
    """Every alias that says that the producer's field `other` is the one that the gap asks for."""
    name = extract_field_name(gap.path)
    for agent, method, mine, theirs, words in (
        (ends[1], link.consumer.method, name, other, ("alias", "validation_alias")),  # what it is read by
        (ends[0], link.producer.method, other, name, ("alias", "serialization_alias")),  # what it is written as
    ):
        for place in _find_aliases(agent, method, project, mine, _Alias(theirs, words)):
            yield Ground("alias", f"'{theirs}' is declared an alias of '{mine}'", place.removeprefix(project.prefix))


def _find_aliases(
    agent: AgentDefinition, method: str | None, project: ProjectAnalysis, field: str, alias: _Alias
) -> Iterator[str]:
    """Places where `field` is annotated with `Alias("other")`, or a pydantic alias: at the method, or in what its names
    lead to (a TypedDict, a dataclass, a constant; of another file too). Another method may mean another thing by it."""
    own = project.prefix + agent.source_file
    modules = {own: _read_definitions(project, own)}
    cls = modules[own].get(agent.class_name.rpartition(".")[2])
    starts: list[tuple[str, ast.AST]] = [(own, node) for node in _iter_contract_nodes(cls, method)]
    starts += [(own, node) for node in _iter_made_classes(cls, method, field, modules[own])]
    reached: dict[int, tuple[str, ast.AST]] = {}
    while starts:
        path, root_node = starts.pop()
        if id(root_node) in reached:
            continue
        reached[id(root_node)] = path, root_node
        for word in {n.id for n in ast.walk(root_node) if isinstance(n, ast.Name)}:
            where, name = path, word
            if word not in modules[path]:
                resolved = project.index.look_up(path, word)
                if not isinstance(resolved, ClassRef):
                    continue
                where, name = resolved.path, resolved.name
                modules.setdefault(where, _read_definitions(project, where))
            if name in modules[where]:
                starts.append((where, modules[where][name]))
    for path, node in ((path, n) for path, root_node in reached.values() for n in ast.walk(root_node)):
        for name, annotation in _iter_annotations(node):
            if name == field and any(alias.stands_in(call) for call in ast.walk(annotation)):
                yield f"{path}:{annotation.lineno}"


def _read_definitions(project: ProjectAnalysis, path: str) -> dict[str, ast.stmt]:
    """What a file defines, by name; nothing of one that cannot be read."""
    try:
        module = ast.parse(project.texts.read_content(path))
    except (SyntaxError, ValueError, OSError):
        return {}
    return {name: node for node in module.body for name in _list_defined_names(node)}


def _iter_contract_nodes(cls: ast.stmt | None, method: str | None) -> Iterator[ast.AST]:
    """Where a method's contract may stand: its decorators and signature; of a topic, the decorators of all methods."""
    for node in getattr(cls, "body", ()):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and method in (None, node.name):
            yield from (*node.decorator_list, node.args, *([node.returns] if node.returns else ()))
    if method is None and isinstance(cls, ast.ClassDef):
        yield from cls.decorator_list


def _iter_made_classes(
    cls: ast.stmt | None, method: str | None, field: str, tops: dict[str, ast.stmt]
) -> Iterator[ast.AST]:
    """The classes that a method fills with its field as it is, under the field's own name: `Job(qty=qty)`."""
    for node in getattr(cls, "body", ()):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name != method:
            continue
        for call in ast.walk(node):
            match call:
                case ast.Call(func=ast.Name(id=name), keywords=keywords) if isinstance(tops.get(name), ast.ClassDef):
                    if any(k.arg == field and isinstance(k.value, ast.Name) and k.value.id == field for k in keywords):
                        yield tops[name]


def _list_defined_names(node: ast.stmt) -> list[str]:
    match node:
        case ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _iter_annotations(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
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


@dataclass(frozen=True)
class _Alias:
    """A name, and the keywords that give it to a field where it is looked for."""

    name: str
    keywords: tuple[str, ...]

    def stands_in(self, node: ast.AST) -> bool:
        """Whether a call gives it."""
        if not isinstance(node, ast.Call):
            return False
        values = [*node.args] if last_name(node.func) in ("Alias", "AliasChoices") else []
        values += [k.value for k in node.keywords if k.arg in self.keywords]
        return any(isinstance(constant, ast.Constant) and constant.value == self.name for constant in values)


# A table that names both: it says so of some place that it does not name, so it only puts a choice first.


def find_tables(project: ProjectAnalysis, other: str, name: str) -> Iterator[Ground]:
    """Entries of tables and pairs in which both words stand: `{"label": "name"}`, `name: str = field(metadata=…)`."""
    for path in project.texts.paths:
        content = project.texts.read_content(path)
        if name.encode() not in content or other.encode() not in content:
            continue
        try:
            tree = ast.parse(content)
        except (SyntaxError, ValueError):
            continue
        for line in sorted({line for node in ast.walk(tree) for line in _iter_joint_lines(node, {other, name})})[:1]:
            where = f"{path.removeprefix(project.prefix)}:{line}"
            yield Ground("table", f"'{name}' and '{other}' stand in one entry of a table", where)


def _iter_joint_lines(node: ast.AST, words: set[str]) -> Iterator[int]:
    match node:
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                ends = [_list_words(part) & words for part in (key, value) if part is not None]
                if len(ends) == 2 and all(ends) and ends[0] | ends[1] == words and ends[0] != ends[1]:
                    yield value.lineno
        case ast.Tuple(elts=[first, second]) | ast.List(elts=[first, second]):
            if _list_words(first) | _list_words(second) == words:
                yield node.lineno
        case ast.AnnAssign(target=ast.Name(id=field), value=ast.Call() as value) if field in words:
            if _list_words(value) & words == words - {field}:
                yield node.lineno


def _list_words(node: ast.AST) -> set[str]:
    constants = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


# One NewType of the project, carried by exactly one field at each end: whoever wrote it said that they are one thing.


def find_shared_newtype(link: Link, ends: Ends, project: ProjectAnalysis) -> Iterator[tuple[str, str, Ground]]:
    """The pairs (producer's field, consumer's field) that carry one NewType, and are the only ones that do."""
    sent, taken = (
        _read_newtypes(agent, end, side, project)
        for agent, end, side in zip(ends, (link.producer, link.consumer), ("output", "input"), strict=True)
    )
    for newtype, theirs in sent.items():
        mine = taken.get(newtype, set())
        if len(theirs) == len(mine) == 1:
            (other,), (name,) = theirs, mine
            yield other, name, Ground("newtype", f"both carry {newtype[1]}, and no other field does", newtype[0])


def _read_newtypes(
    agent: AgentDefinition, end: Endpoint, side: str, project: ProjectAnalysis
) -> dict[tuple[str, str], set[str]]:
    """NewType (where it is made, its name) -> the fields of one side of a method's contract that carry it."""
    fields: dict[tuple[str, str], set[str]] = {}
    path = project.prefix + agent.source_file
    tops = _read_definitions(project, path)
    cls = tops.get(agent.class_name.rpartition(".")[2])
    for node in _iter_side_nodes(cls, end, side):
        for where, name, annotation in _iter_fields(node, path, tops, project.index):
            if (newtype := _resolve_newtype(annotation, where, project)) is not None:
                fields.setdefault(newtype, set()).add(name)
    return fields


def _iter_side_nodes(cls: ast.stmt | None, end: Endpoint, side: str) -> Iterator[ast.AST]:
    """Where one side of a contract is written: a decorator's part for it, the parameters, the returned type."""
    for node in getattr(cls, "body", ()):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for mark in node.decorator_list:
            if not isinstance(mark, ast.Call):
                continue
            if end.topic is not None and last_name(mark.func) == "publishes":
                named = bool(mark.args) and isinstance(mark.args[0], ast.Constant) and mark.args[0].value == end.topic
                yield from mark.args[1:] if named else ()
            elif end.method == node.name:
                yield from (k.value for k in mark.keywords if k.arg == f"{side}_schema")
        if end.method == node.name and side == "input":
            yield node.args
        elif end.method == node.name and node.returns is not None:
            yield node.returns


def _iter_fields(
    node: ast.AST, path: str, tops: dict[str, ast.stmt], index: Index
) -> Iterator[tuple[str, str, ast.expr]]:
    """The fields that are written there, or in the class that is named there, each with the file of its type."""
    match node:
        case ast.Name(id=name) if isinstance(tops.get(name), ast.Assign | ast.AnnAssign):
            value = getattr(tops[name], "value", None)
            if isinstance(value, ast.Dict):
                yield from _iter_fields(value, path, tops, index)
        case ast.Name(id=name) if isinstance(shape := index.look_up(path, name), ClassRef):
            found = index.find_class(shape.path, shape.name)
            for field, text in found.hints.items() if found is not None else ():
                yield shape.path, field, ast.parse(text, mode="eval").body
        case ast.arguments():
            for arg in (*node.posonlyargs, *node.args, *node.kwonlyargs):
                if arg.annotation is not None:
                    yield path, arg.arg, arg.annotation
        case ast.Dict():
            for field, annotation in _iter_annotations(node):
                yield path, field, annotation


def _resolve_newtype(annotation: ast.expr, path: str, project: ProjectAnalysis) -> tuple[str, str] | None:
    while isinstance(annotation, ast.Subscript) and last_name(annotation.value) in _WRAPPING:
        inner = annotation.slice
        annotation = inner.elts[0] if isinstance(inner, ast.Tuple) else inner
    resolved = project.index.look_up(path, annotation.id) if isinstance(annotation, ast.Name) else None
    if isinstance(annotation, ast.Name) and isinstance(resolved, tuple):
        where, values = resolved
        for value in values:
            if isinstance(value, CallResult):
                call = project.texts[where].calls[value.call]
                if any(getattr(f, "name", "").rpartition(".")[2] == "NewType" for f in call.function):
                    return f"{where}:{call.line}", annotation.id
    return None
