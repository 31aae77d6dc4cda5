"""Let a field be left out, or require it: its contract, its parameter, the code that reads it."""

from __future__ import annotations

import ast

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit import declared, signature
from graphbus_core.build.edit.followed import callers, calls
from graphbus_core.build.edit.followed.receivers import parents
from graphbus_core.build.edit.operations.add_field import refuse_without
from graphbus_core.build.edit.operations.change import FieldChange
from graphbus_core.build.edit.operations.giving import give
from graphbus_core.build.edit.records import RecordDefinition
from graphbus_core.build.edit.text.edit_plan import parse_default
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.type_text import default_for
from graphbus_core.build.understand.keys import Trace
from graphbus_core.model.operation import SetOptional
from graphbus_core.syntax import last_name


def run(change: FieldChange, op: SetOptional, record: RecordDefinition) -> bool:
    """Write the new presence. False where it is so already."""
    holder, type_text = change.declared(record)
    if not declared.set_optional(change.plan, holder, change.name, op.optional, op.default):
        return False
    _follow(change, op, holder, type_text)
    return True


def _follow(change: FieldChange, op: SetOptional, record: RecordDefinition, type_text: str) -> None:
    if op.default is not None:
        parse_default(op.default)
    if op.side == "input":
        hinted = record.flavour == "parameters"
        if not op.optional and not hinted:
            return
        sig, trace, param = change.input_trace()
        if not op.optional:
            signature.require(change.plan, sig, change.name)
            refuse_without(change, sig)
            return
        if param is not None:
            default = op.default or (default_for(type_text) if hinted else None)
            sites = calls.of_method(change.work, op.node, str(op.method)) if sig.default(param) is None else []
            positional = [s.place for s in sites if not s.named and s.call.args]
            signature.set_default(change.plan, sig, param, type_text, default, positional, hinted)
            return
        if len(change.path) > 1 or sig.mapping is not None:
            _tolerate(change, sig.source, trace, type_text, op.default)
        return
    if not op.optional:
        give(change, type_text, False, op.default, record)
    elif op.side == "payload":
        for source, trace in change.handled():
            _tolerate(change, source, trace, type_text, op.default)


def _tolerate(change: FieldChange, source: Source, trace: Trace, type_text: str, default: str | None) -> None:
    """`payload["x"]` becomes `payload.get("x", default)`."""
    up = parents(source)
    lost: list[ast.AST] = [r for r in trace.reads if _is_bare_pop(r)]
    lost += [r for r in trace.reads if _needs_value(r, up.get(id(r)), default)]
    lost += [n for n in trace.doubtful if not _told(up, n)]
    if lost:
        raise Refusal(f"{change.op.address} may be needed here; replace_body first.", source.places(*lost))
    reads = [r for r in trace.reads if isinstance(r, ast.Subscript) and isinstance(r.ctx, ast.Load)]
    given = default or default_for(type_text)
    if reads and given is None:
        change.refuse_used(source, list(reads))
    for read in reads:
        at, end = source.span(read.value)[1], source.span(read)[1]
        key = source.text(read.slice)
        change.plan.add(source, Edit(at, end, f".get({key}, {given})".encode()))


def _is_bare_pop(read: ast.AST) -> bool:
    """`payload.pop("x")`, which fails where the field is not there."""
    return isinstance(read, ast.Call) and len(read.args) == 1 and last_name(read.func) == "pop"


def _needs_value(read: ast.AST, parent: ast.AST | None, default: str | None) -> bool:
    """Whether the statement around a read cannot do with a value in its place: `del`, `+=`, or a further key."""
    if isinstance(parent, ast.Delete) or (isinstance(parent, ast.AugAssign) and parent.target is read):
        return True
    # `payload["x"]["y"]`: no plain value has a "y"
    loaded = isinstance(read, ast.Subscript) and isinstance(read.ctx, ast.Load)
    return default is None and loaded and isinstance(parent, ast.Subscript) and parent.value is read


def _told(up: dict[int, ast.AST], node: ast.AST) -> bool:
    """Whether a whole payload goes to people only: an f-string, a logger."""
    parent = up.get(id(node))
    return isinstance(parent, ast.FormattedValue) or (
        isinstance(parent, ast.Call)
        and last_name(parent.func) in callers.NOTED
        and isinstance(parent.func, ast.Attribute)
    )
