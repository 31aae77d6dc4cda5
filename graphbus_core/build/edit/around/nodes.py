"""A whole node: its class added in a file of its own, or removed where nothing needs it any more."""

from __future__ import annotations

import ast
import posixpath

from graphbus_core.build.confine.door import forbidden
from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.followed import calls
from graphbus_core.build.edit.text.code import code, parsed_code
from graphbus_core.build.edit.text.edit_plan import EditPlan
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.statements import statement_start, whole_lines
from graphbus_core.model.operation import AddAgent, RemoveAgent


def add_agent(plan: EditPlan, op: AddAgent) -> bool:
    """Make the file of a new node. It must hold exactly that node's class, and may hold its types and helpers."""
    if op.node in plan.workspace.agents:
        raise Refusal(f"there is a node {op.node} already.")
    path = posixpath.normpath(op.path.strip().replace("\\", "/"))
    if (why := forbidden(path)) is not None:
        raise Refusal(f"{op.path!r}: {why}.")
    homes = {posixpath.dirname(a.source_file) for a in plan.workspace.agents.values()}
    if posixpath.dirname(path) not in homes:
        known = ", ".join(f"{home or '.'}/" for home in sorted(homes))
        raise Refusal(f"{path} lies beside no other node; use {known}.")
    text = code(op.source, op.path)
    body = parsed_code(text, op.path).body
    if not any(isinstance(s, ast.ClassDef) and s.name == op.node for s in body):
        raise Refusal(f"the source has no class {op.node}; a node goes by the name of its class.")
    if plan.workspace.exists(path):
        raise Refusal(f"{path} is there already; give the new node a file of its own.")
    plan.workspace.create(path, f"{text}\n".encode())
    return True


def remove_agent(plan: EditPlan, op: RemoveAgent) -> bool:
    """Take a node's class out of its file. Refused where anything still speaks of it, with the lines."""
    source, cls = plan.workspace.node(op.node)
    if not any(s is cls for s in source.tree.body):
        raise Refusal(f"{op.node} stands inside of something else.", source.places(cls))
    inside = {id(n) for n in ast.walk(cls)}
    used = [place for other in calls.sources(plan.workspace) for place in _speaks_of(other, op.node, cls.name, inside)]
    if used:
        raise Refusal(f"{op.node} is still used.", tuple(dict.fromkeys(used)))
    if len(source.tree.body) == 1:
        plan.add(source, Edit(statement_start(source, cls), source.span(cls)[1], b"pass"))
        return True
    plan.add(source, Edit(*whole_lines(source, cls), b""))
    return True


def _speaks_of(source: Source, node: str, name: str, inside: set[int]) -> list[str]:
    """Where a file names the class or the node: as a name, an import, an attribute, or in a text such as `Node.m`."""
    if name.encode() not in source.data and node.encode() not in source.data:
        return []
    found = []
    for n in ast.walk(source.tree):
        if id(n) in inside:
            continue
        match n:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.alias(name=word) if word == name:
                found.append(n.lineno)
            case ast.Constant(value=str() as text) if text == node or text.startswith(f"{node}."):
                found.append(n.lineno)
    return [f"{source.path}:{line}" for line in found]
