"""New files beside a node or under `tests/`, and tests written into a test file."""

from __future__ import annotations

import ast
import posixpath

from graphbus_core.analysis.scopes import collect_bound_names
from graphbus_core.editing import call_sites
from graphbus_core.editing.edit_plan import EditPlan
from graphbus_core.editing.operations.imports import find_external_uses
from graphbus_core.editing.scope import is_test_file
from graphbus_core.editing.source import Edit, Source
from graphbus_core.editing.statements import (
    find_statement_start,
    find_whole_lines,
    indent_code,
    is_same_code,
    list_defined_names,
    normalize_code,
    parse_code,
)
from graphbus_core.editing.worktree import describe_nearest
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.model.operation import AddAgent, AddFile, Define, RemoveAgent, RemoveDefinition, WriteTest
from graphbus_core.sandbox.path_guard import explain_forbidden
from graphbus_core.syntax import is_docstring

# What stands beside a node's class in its module: functions, constants, types, classes that are not nodes.


def add_definition(plan: EditPlan, op: Define) -> bool:
    """Add a definition above the node's class, or put it in the place of the one of that name."""
    source, cls = plan.workspace.find_node_class(op.node)
    text = normalize_code(op.source, f"the definition of {op.name}")
    statements = parse_code(text, f"the definition of {op.name}").body
    if len(statements) != 1 or op.name not in list_defined_names(statements[0]):
        raise Refusal(f"give exactly one definition of {op.name!r}: a function, a class, a constant or a type.")
    _refuse_node(plan, source, op.name)
    newline = source.newline(0)
    standing = [s for s in source.tree.body if op.name in list_defined_names(s)]
    if standing:
        if is_same_code(standing[-1:], statements):
            return False
        if len(standing) > 1 or len(list_defined_names(standing[0])) > 1:
            places = source.places(*standing)
            raise Refusal(f"{op.name} is not given by one definition alone.", places)
        start, end = find_statement_start(source, standing[0]), source.span(standing[0])[1]
        plan.add(source, Edit(start, end, indent_code(text, b"", newline)))
        return True
    if op.name in collect_bound_names(source.tree.body):
        raise Refusal(f"{source.path} has something else named {op.name!r}.")
    top = next(s for s in source.tree.body if any(n is cls for n in ast.walk(s)))
    place = source.line_start(find_statement_start(source, top))
    below = newline * 3  # two blank lines, as formatters have it
    plan.add(source, Edit(place, place, indent_code(text, b"", newline) + below))
    return True


def remove_definition(plan: EditPlan, op: RemoveDefinition) -> bool:
    """Remove a definition that nothing uses any more, in its file or in others."""
    source, _ = plan.workspace.find_node_class(op.node)
    _refuse_node(plan, source, op.name)
    standing = [s for s in source.tree.body if op.name in list_defined_names(s)]
    if not standing:
        known_names = [name for s in source.tree.body for name in list_defined_names(s)]
        plan.notes.append(f"{source.path} defines no {op.name!r}; {describe_nearest(op.name, known_names)}")
        return False
    if len(standing) > 1 or len(list_defined_names(standing[0])) > 1:
        places = source.places(*standing)
        raise Refusal(f"{op.name} is not given by one definition alone.", places)
    used = _find_definition_uses(plan, source, op.name, standing[0])
    if used:
        raise Refusal(f"{op.name} is still used.", tuple(dict.fromkeys(used)))
    plan.add(source, Edit(*find_whole_lines(source, standing[0]), b""))
    return True


def _refuse_node(plan: EditPlan, source: Source, name: str) -> None:
    for agent in plan.workspace.agents.values():
        if agent.source_file == source.path and agent.class_name == name:
            raise Refusal(f"{name} is a node; change it by the operations on nodes and their methods.")


def _find_definition_uses(plan: EditPlan, source: Source, name: str, standing: ast.stmt) -> list[str]:
    inside = {id(n) for n in ast.walk(standing)}
    places = [
        f"{source.path}:{n.lineno}"
        for n in ast.walk(source.tree)
        if id(n) not in inside
        and (
            (isinstance(n, ast.Name) and n.id == name)
            or (isinstance(n, ast.Constant) and n.value == name)  # `__all__`, an annotation as text
        )
    ]
    return [*places, *find_external_uses(plan, source, {name})]


TESTS = "tests"


def add_file(plan: EditPlan, op: AddFile) -> bool:
    """Make a file that was not there."""
    path = check_new_path(plan, op.node, op.path)
    text = normalize_code(op.source, op.path)
    statements = parse_code(text, op.path).body
    if plan.workspace.exists(path):
        if is_same_code(plan.workspace.read_source(path).tree.body, statements):
            return False
        raise Refusal(f"{path} is there already; change what stands in it by operations on its node.")
    plan.workspace.create_file(path, f"{text}\n".encode())
    return True


def write_test(plan: EditPlan, op: WriteTest) -> bool:
    """Add tests to a file, or replace those of the same name; the file is made where it is missing."""
    path = check_new_path(plan, op.node, op.path)
    if not is_test_file(path):
        raise Refusal(f"{path} is not a test file: name it test_*.py, under {TESTS}/ or beside the node.")
    text = normalize_code(op.source, op.path)
    parse_code(text, op.path)  # refused here with its line, if it does not parse
    if not plan.workspace.exists(path):
        plan.workspace.create_file(path, f"{text}\n".encode())
        return True
    source = plan.workspace.read_source(path)
    piece = Source("the tests", text.encode())
    newline = source.newline(0)
    changed = False
    added: list[bytes] = []
    for i, statement in enumerate(piece.tree.body):
        if i == 0 and is_docstring(statement):
            continue
        if isinstance(statement, ast.Import | ast.ImportFrom):
            changed |= _bring_import(plan, source, piece.text(statement), statement)
            continue
        standing = [s for s in source.tree.body if list_defined_names(s) & list_defined_names(statement)]
        whole = indent_code(
            piece.data[find_statement_start(piece, statement) : piece.span(statement)[1]].decode(), b"", newline
        )
        if not standing:
            if not any(is_same_code([s], [statement]) for s in source.tree.body):
                added.append(whole)
            continue
        if len(standing) > 1:
            places = tuple(f"{path}:{s.lineno}" for s in standing)
            raise Refusal(f"{', '.join(sorted(list_defined_names(statement)))} is written more than once.", places)
        if not is_same_code(standing, [statement]):
            plan.add(source, Edit(find_statement_start(source, standing[0]), source.span(standing[0])[1], whole))
            changed = True
    if added:
        end = len(source.data.rstrip())
        gap = newline * 3 if end else b""
        plan.add(source, Edit(end, len(source.data), gap + (newline * 3).join(added) + newline))
    return changed or bool(added)


def _bring_import(plan: EditPlan, source: Source, text: str, statement: ast.Import | ast.ImportFrom) -> bool:
    """Bring an import along where the file does not have it yet."""
    module = (statement.module, statement.level) if isinstance(statement, ast.ImportFrom) else None
    have = {
        ((n.module, n.level) if isinstance(n, ast.ImportFrom) else None, a.name, a.asname)
        for n in source.tree.body
        if isinstance(n, ast.Import | ast.ImportFrom)
        for a in n.names
    }
    if all((module, a.name, a.asname) in have for a in statement.names):
        return False
    plan.add_import_statement(source, statement, " ".join(text.split()))
    return True


def check_new_path(plan: EditPlan, node: str, path: str) -> str:
    """The path of a new file, checked: beside the node's own file, or under `tests/`. Raises Refusal."""
    plain = posixpath.normpath(path.strip().replace("\\", "/"))
    if (why := explain_forbidden(plain)) is not None:
        raise Refusal(f"{path!r}: {why}.")
    home = posixpath.dirname(plan.workspace.find_agent(node).source_file)
    folder = posixpath.dirname(plain)
    if folder == home or (plain.partition("/")[0] == TESTS and "/" in plain):
        return plain
    raise Refusal(f"{plain} lies neither beside {node} ({home or '.'}/) nor under {TESTS}/.")


# A whole node: its class added in a file of its own, or removed where nothing needs it any more.


def add_agent(plan: EditPlan, op: AddAgent) -> bool:
    """Make the file of a new node. It must hold exactly that node's class, and may hold its types and helpers."""
    if op.node in plan.workspace.agents:
        raise Refusal(f"there is a node {op.node} already.")
    path = posixpath.normpath(op.path.strip().replace("\\", "/"))
    if (why := explain_forbidden(path)) is not None:
        raise Refusal(f"{op.path!r}: {why}.")
    homes = {posixpath.dirname(a.source_file) for a in plan.workspace.agents.values()}
    if posixpath.dirname(path) not in homes:
        known_homes = ", ".join(f"{home or '.'}/" for home in sorted(homes))
        raise Refusal(f"{path} lies beside no other node; use {known_homes}.")
    text = normalize_code(op.source, op.path)
    body = parse_code(text, op.path).body
    if not any(isinstance(s, ast.ClassDef) and s.name == op.node for s in body):
        raise Refusal(f"the source has no class {op.node}; a node goes by the name of its class.")
    if plan.workspace.exists(path):
        raise Refusal(f"{path} is there already; give the new node a file of its own.")
    plan.workspace.create_file(path, f"{text}\n".encode())
    return True


def remove_agent(plan: EditPlan, op: RemoveAgent) -> bool:
    """Take a node's class out of its file. Refused where anything still speaks of it, with the lines."""
    source, cls = plan.workspace.find_node_class(op.node)
    if not any(s is cls for s in source.tree.body):
        raise Refusal(f"{op.node} stands inside of something else.", source.places(cls))
    inside = {id(n) for n in ast.walk(cls)}
    used = [
        place
        for other in call_sites.iter_sources(plan.workspace)
        for place in _find_node_mentions(other, op.node, cls.name, inside)
    ]
    if used:
        raise Refusal(f"{op.node} is still used.", tuple(dict.fromkeys(used)))
    if len(source.tree.body) == 1:
        plan.add(source, Edit(find_statement_start(source, cls), source.span(cls)[1], b"pass"))
        return True
    plan.add(source, Edit(*find_whole_lines(source, cls), b""))
    return True


def _find_node_mentions(source: Source, node: str, name: str, inside: set[int]) -> list[str]:
    """Where a file names the class or the node: as a name, an import, an attribute, or in a text such as `Node.m`."""
    if name.encode() not in source.data and node.encode() not in source.data:
        return []
    lines = []
    for n in ast.walk(source.tree):
        if id(n) in inside:
            continue
        match n:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.alias(name=word) if word == name:
                lines.append(n.lineno)
            case ast.Constant(value=str() as text) if text == node or text.startswith(f"{node}."):
                lines.append(n.lineno)
    return [f"{source.path}:{line}" for line in lines]
