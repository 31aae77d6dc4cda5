"""Replace the body of a method. Its decorators, signature and docstring stay."""

from __future__ import annotations

import ast

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.code import code, in_strings, indented, parsed_code
from graphbus_core.build.edit.text.edit_plan import EditPlan
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.statements import same, statement_start
from graphbus_core.build.understand.keys.scope import Function
from graphbus_core.model.operation import ReplaceBody
from graphbus_core.syntax import is_docstring


def replace(plan: EditPlan, op: ReplaceBody) -> bool:
    """Write the new body. False where it is the old one, but for its spelling."""
    assert op.method is not None
    source, _, function = plan.workspace.own_method(op.node, op.method)
    text = code(op.body, "the body")
    statements = _statements(text)
    keep = is_docstring(function.body[0]) and not (statements and is_docstring(statements[0]))
    old = function.body[1:] if keep else function.body
    if same(old, statements):
        return False
    start = statement_start(source, old[0]) if old else source.span(function.body[0])[1]
    end = source.span(function.body[-1])[1]
    newline = source.newline(start)
    if old and not source.begins_line(start):  # `def f(self): return 1`
        indent = source.indent(source.span(function)[0]) + _unit(source, function)
        stripped = source.data[:start].rstrip(b" \t")
        plan.add(source, Edit(len(stripped), end, newline + indented(text, indent, newline)))
        return True
    if not old:
        indent = (
            source.indent(start)
            if source.begins_line(source.span(function.body[0])[0])
            else source.indent(start) + _unit(source, function)
        )
        plan.add(source, Edit(start, start, newline + indented(text, indent, newline)))
        return True
    indent = source.data[source.line_start(start) : start].rpartition(b"\f")[2]
    plan.add(source, Edit(start, end, indented(text, indent, newline)[len(indent) :]))
    return True


def _statements(text: str) -> list[ast.stmt]:
    strings = in_strings(text)
    wrapped = "\n".join(t if i in strings else f" {t}" for i, t in enumerate(text.split("\n")))
    # Inside an `async def`, for `return` and `await` are not mistakes there.
    inside = parsed_code(f"async def _():\n{wrapped}", "the body")
    # A body that is indented less in a later line would end the function, and go on as code of the class.
    if len(inside.body) != 1:
        raise Refusal("the body is more than one method's body.")
    return inside.body[0].body  # type: ignore[attr-defined,no-any-return]


def _unit(source: Source, function: Function) -> bytes:
    return b"\t" if source.indent(source.span(function)[0]).endswith(b"\t") else b"    "
