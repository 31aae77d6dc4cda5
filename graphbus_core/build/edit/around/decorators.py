"""`@publishes`, `@subscribe` and `@depends_on`: what a node tells the bus and the build of itself."""

from __future__ import annotations

import ast

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.edit_plan import EditPlan
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.statements import same, statement_start
from graphbus_core.build.edit.text.worktree import is_call
from graphbus_core.build.understand.keys.scope import Function
from graphbus_core.model.operation import Decorate, Undecorate
from graphbus_core.syntax import last_name

KNOWN = ("publishes", "subscribe", "depends_on")
_PLAIN = (
    *(ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.BitOr, ast.Tuple, ast.List, ast.Dict),
    *(ast.keyword, ast.expr_context, ast.UnaryOp, ast.USub),
)


def decorate(plan: EditPlan, op: Decorate) -> bool:
    """Put a decorator above the others of the class or the method, and import what it needs."""
    source, holder = _holder(plan, op)
    call, name = read(op.decorator)
    if name == "subscribe" and not op.method:
        raise Refusal("@subscribe stands on a method: name the handler.")
    if any(_same(one, call, name, source) for one in holder.decorator_list):
        return False
    written = plan.imported(source, "graphbus_core", name)
    for value in [*call.args, *(k.value for k in call.keywords)]:
        for node in ast.walk(value):
            if isinstance(node, ast.Name):
                plan.name(source, node.id)
    place = source.line_start(statement_start(source, holder))
    indent, newline = source.indent(statement_start(source, holder)), source.newline(place)
    arguments = ", ".join(ast.unparse(one) for one in [*call.args, *call.keywords])
    plan.add(source, Edit(place, place, indent + f"@{written}({_quoted(arguments)})".encode() + newline))
    return True


def undecorate(plan: EditPlan, op: Undecorate) -> bool:
    """Take one decorator off, with its line."""
    source, holder = _holder(plan, op)
    call, name = read(op.decorator)
    found = [one for one in holder.decorator_list if _same(one, call, name, source)]
    if not found:
        there = [f"@{source.text(one)}" for one in holder.decorator_list if is_call(one, name, source)]
        plan.notes.append(f"{op.symbol} has no such decorator; there is {', '.join(there) or f'no @{name}'}")
        return False
    at = source.data.rindex(b"@", 0, source.span(found[0])[0])
    plan.add(source, Edit(source.line_start(at), source.next_line(source.span(found[0])[1]), b""))
    return True


def read(text: str) -> tuple[ast.Call, str]:
    """The call of a decorator's text, and which of the known ones it is. Raises Refusal."""
    try:
        call = ast.parse(text.strip().removeprefix("@"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Refusal(f"{text!r} is not a decorator.") from None
    if not isinstance(call, ast.Call):
        raise Refusal(f"{text!r}: give the decorator with its arguments, as @subscribe('/Order/Created').")
    name = last_name(call.func)
    if name not in KNOWN:
        raise Refusal(f"{text!r}: only {', '.join(f'@{one}' for one in KNOWN)} are put on and taken off.")
    for value in [*call.args, *call.keywords]:
        for node in ast.walk(value):
            if not isinstance(node, _PLAIN):
                raise Refusal(f"{text!r} does more than name topics, nodes and types: {type(node).__name__}.")
    return call, name


def topics_of(text: str) -> tuple[str, tuple[str, ...]]:
    """Which decorator a text is, and the texts among its arguments: topics or nodes."""
    call, name = read(text)
    return name, tuple(a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str))


def _holder(plan: EditPlan, op: Decorate | Undecorate) -> tuple[Source, ast.ClassDef | Function]:
    if not op.method:
        return plan.workspace.node(op.node)
    source, _, function = plan.workspace.own_method(op.node, op.method)
    return source, function


def _same(decorator: ast.expr, call: ast.Call, name: str, source: Source) -> bool:
    if not isinstance(decorator, ast.Call) or not is_call(decorator, name, source):
        return False
    return same(call.args, decorator.args) and same(call.keywords, decorator.keywords)


def _quoted(arguments: str) -> str:
    """With the double quotes that formatters write, where that changes nothing."""
    return arguments.replace("'", '"') if '"' not in arguments and "\\" not in arguments else arguments
