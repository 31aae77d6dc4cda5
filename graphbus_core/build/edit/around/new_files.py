"""New files beside a node or under `tests/`, and tests written into a test file."""

from __future__ import annotations

import ast
import posixpath

from graphbus_core.build.confine.door import forbidden
from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.reach import is_test_file
from graphbus_core.build.edit.text.code import code, indented, parsed_code
from graphbus_core.build.edit.text.edit_plan import EditPlan
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.statements import names_of, same, statement_start
from graphbus_core.model.operation import AddFile, WriteTest
from graphbus_core.syntax import is_docstring

TESTS = "tests"


def add_file(plan: EditPlan, op: AddFile) -> bool:
    """Make a file that was not there."""
    path = place(plan, op.node, op.path)
    text = code(op.source, op.path)
    given = parsed_code(text, op.path).body
    if plan.workspace.exists(path):
        if same(plan.workspace.source(path).tree.body, given):
            return False
        raise Refusal(f"{path} is there already; change what stands in it by operations on its node.")
    plan.workspace.create(path, f"{text}\n".encode())
    return True


def write_test(plan: EditPlan, op: WriteTest) -> bool:
    """Add tests to a file, or replace those of the same name; the file is made where it is missing."""
    path = place(plan, op.node, op.path)
    if not is_test_file(path):
        raise Refusal(f"{path} is not a test file: name it test_*.py, under {TESTS}/ or beside the node.")
    text = code(op.source, op.path)
    parsed_code(text, op.path)  # refused here with its line, if it does not parse
    if not plan.workspace.exists(path):
        plan.workspace.create(path, f"{text}\n".encode())
        return True
    source = plan.workspace.source(path)
    piece = Source("the tests", text.encode())
    newline = source.newline(0)
    changed = False
    added: list[bytes] = []
    for i, statement in enumerate(piece.tree.body):
        if i == 0 and is_docstring(statement):
            continue
        if isinstance(statement, ast.Import | ast.ImportFrom):
            changed |= _import(plan, source, piece.text(statement), statement)
            continue
        standing = [s for s in source.tree.body if names_of(s) & names_of(statement)]
        whole = indented(
            piece.data[statement_start(piece, statement) : piece.span(statement)[1]].decode(), b"", newline
        )
        if not standing:
            if not any(same([s], [statement]) for s in source.tree.body):
                added.append(whole)
            continue
        if len(standing) > 1:
            places = tuple(f"{path}:{s.lineno}" for s in standing)
            raise Refusal(f"{', '.join(sorted(names_of(statement)))} is written more than once.", places)
        if not same(standing, [statement]):
            plan.add(source, Edit(statement_start(source, standing[0]), source.span(standing[0])[1], whole))
            changed = True
    if added:
        end = len(source.data.rstrip())
        gap = newline * 3 if end else b""
        plan.add(source, Edit(end, len(source.data), gap + (newline * 3).join(added) + newline))
    return changed or bool(added)


def _import(plan: EditPlan, source: Source, text: str, statement: ast.Import | ast.ImportFrom) -> bool:
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
    plan.bring(source, statement, " ".join(text.split()))
    return True


def place(plan: EditPlan, node: str, path: str) -> str:
    """The path of a new file, checked: beside the node's own file, or under `tests/`. Raises Refusal."""
    plain = posixpath.normpath(path.strip().replace("\\", "/"))
    if (why := forbidden(plain)) is not None:
        raise Refusal(f"{path!r}: {why}.")
    home = posixpath.dirname(plan.workspace.agent(node).source_file)
    folder = posixpath.dirname(plain)
    if folder == home or (plain.partition("/")[0] == TESTS and "/" in plain):
        return plain
    raise Refusal(f"{plain} lies neither beside {node} ({home or '.'}/) nor under {TESTS}/.")
