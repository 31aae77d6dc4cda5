"""What stands beside a node's class in its module: functions, constants, types, classes that are not nodes."""

from __future__ import annotations

import ast

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.operations.imports import taken_elsewhere
from graphbus_core.build.edit.text.code import code, indented, parsed_code
from graphbus_core.build.edit.text.edit_plan import EditPlan
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.statements import names_of, same, statement_start, whole_lines
from graphbus_core.build.edit.text.worktree import nearest
from graphbus_core.build.understand.keys.scope import bound
from graphbus_core.model.operation import Define, RemoveDefinition


def define(plan: EditPlan, op: Define) -> bool:
    """Add a definition above the node's class, or put it in the place of the one of that name."""
    source, cls = plan.workspace.node(op.node)
    text = code(op.source, f"the definition of {op.name}")
    given = parsed_code(text, f"the definition of {op.name}").body
    if len(given) != 1 or op.name not in names_of(given[0]):
        raise Refusal(f"give exactly one definition of {op.name!r}: a function, a class, a constant or a type.")
    _no_node(plan, source, op.name)
    newline = source.newline(0)
    standing = [s for s in source.tree.body if op.name in names_of(s)]
    if standing:
        if same(standing[-1:], given):
            return False
        if len(standing) > 1 or len(names_of(standing[0])) > 1:
            places = source.places(*standing)
            raise Refusal(f"{op.name} is not given by one definition alone.", places)
        start, end = statement_start(source, standing[0]), source.span(standing[0])[1]
        plan.add(source, Edit(start, end, indented(text, b"", newline)))
        return True
    if op.name in bound(source.tree.body):
        raise Refusal(f"{source.path} has something else named {op.name!r}.")
    top = next(s for s in source.tree.body if any(n is cls for n in ast.walk(s)))
    place = source.line_start(statement_start(source, top))
    below = newline * 3  # two blank lines, as formatters have it
    plan.add(source, Edit(place, place, indented(text, b"", newline) + below))
    return True


def remove(plan: EditPlan, op: RemoveDefinition) -> bool:
    """Remove a definition that nothing uses any more, in its file or in others."""
    source, _ = plan.workspace.node(op.node)
    _no_node(plan, source, op.name)
    standing = [s for s in source.tree.body if op.name in names_of(s)]
    if not standing:
        known = [name for s in source.tree.body for name in names_of(s)]
        plan.notes.append(f"{source.path} defines no {op.name!r}; {nearest(op.name, known)}")
        return False
    if len(standing) > 1 or len(names_of(standing[0])) > 1:
        places = source.places(*standing)
        raise Refusal(f"{op.name} is not given by one definition alone.", places)
    used = _uses(plan, source, op.name, standing[0])
    if used:
        raise Refusal(f"{op.name} is still used.", tuple(dict.fromkeys(used)))
    plan.add(source, Edit(*whole_lines(source, standing[0]), b""))
    return True


def _no_node(plan: EditPlan, source: Source, name: str) -> None:
    for agent in plan.workspace.agents.values():
        if agent.source_file == source.path and agent.class_name == name:
            raise Refusal(f"{name} is a node; change it by the operations on nodes and their methods.")


def _uses(plan: EditPlan, source: Source, name: str, standing: ast.stmt) -> list[str]:
    inside = {id(n) for n in ast.walk(standing)}
    found = [
        f"{source.path}:{n.lineno}"
        for n in ast.walk(source.tree)
        if id(n) not in inside
        and (
            (isinstance(n, ast.Name) and n.id == name)
            or (isinstance(n, ast.Constant) and n.value == name)  # `__all__`, an annotation as text
        )
    ]
    return [*found, *taken_elsewhere(plan, source, {name})]
