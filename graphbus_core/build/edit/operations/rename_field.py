"""Rename a field and follow it: its contract, who makes it, who reads it, who gives it as an argument."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit import declared, records, signature
from graphbus_core.build.edit.followed import callers, calls
from graphbus_core.build.edit.followed.receivers import Receivers
from graphbus_core.build.edit.operations.change import FieldChange
from graphbus_core.build.edit.records import RecordDefinition
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.understand.keys import Trace, scope
from graphbus_core.model.operation import RenameField


def run(change: FieldChange, op: RenameField, record: RecordDefinition) -> bool:
    """Rename the field. False where it has its new name already."""
    renamed = change.name not in record.fields() and op.to in record.fields()
    if op.to == change.name or renamed:
        return False
    holder, _ = records.having(change.work, record, change.name)
    declared.rename(change.plan, holder, change.name, op.to)
    _follow(change, op, holder)
    return True


def _follow(change: FieldChange, op: RenameField, record: RecordDefinition) -> None:
    change.refuse_text()
    change.uses(record).refuse_running()
    if isinstance(record.node, ast.ClassDef):
        _rename_in_class_uses(change, op, record)
    if op.side == "input":
        sig, trace, param = change.input_trace()
        if param is not None:
            signature.rename(change.plan, sig, change.name, op.to)
            _rename_arguments(change, op)
            return
        change.refuse_doubt(sig.source, trace)
        _respell(change, sig.source, trace, op.to)
        _rename_arguments(change, op)
        return
    for source, _, _, trace in change.makers(record):
        change.refuse_doubt(source, trace)
        _respell(change, source, trace, op.to)
    if op.side == "payload":
        handled = change.handled()
        if any(trace.keys for _, trace in handled):
            _refuse_publishers(change, op)
        for source, trace in handled:
            change.refuse_doubt(source, trace)
            _respell(change, source, trace, op.to)
    else:
        change.refuse_references()
        for site, trace in change.results(record):
            if not site.certain and trace.keys:
                _refuse_unknown_callee(change, site.source, trace.keys)
            _respell(change, site.source, trace, op.to)


def _refuse_publishers(change: FieldChange, op: RenameField) -> None:
    """A handler that is changed for one publisher fails on what the others publish, unless they change along."""
    # The same rename in the same diff, for another publisher: then both change at once, and nobody is broken.
    along = {
        o.node
        for o in change.diff
        if isinstance(o, RenameField) and (o.topic, o.field, o.to) == (op.topic, op.field, op.to)
    }
    own = {id(n) for name in along - {op.node} for n in ast.walk(change.work.node(name)[1])}
    other = [(at, call) for at, call in calls.elsewhere(change.work, op.node, str(op.topic)) if id(call) not in own]
    if other:
        raise Refusal(
            f"{op.topic} is published to from here as well, with {change.name!r} for its handlers.",
            tuple(f"{at.path}:{call.lineno}" for at, call in other),
        )


def _respell(change: FieldChange, source: Source, trace: Trace, to: str) -> None:
    for key in trace.keys:
        change.plan.replace(source, key, declared.respell(source, key, to))
    for keyword in trace.keywords:
        if not to.isidentifier():
            raise Refusal(f"{to!r} cannot be an argument's name.", source.places(keyword.value))
        start = source.span(keyword)[0]
        change.plan.add(source, Edit(start, start + len(change.name.encode()), to.encode()))


def _rename_arguments(change: FieldChange, op: RenameField) -> None:
    if len(change.path) > 1:
        return
    along = {o.node for o in change.diff if isinstance(o, RenameField) and (o.field, o.to) == (op.field, op.to)}
    for source, cls, function in Receivers(change.work, op.node, str(op.method)).overriders():
        if cls.name not in along and any(p.arg == change.name for p in scope.parameters(function.args)):
            raise Refusal(
                f"{cls.name}.{op.method} stands for {op.symbol} in a subclass, with {change.name!r}.",
                source.places(function),
            )
    for site in calls.of_method(change.work, op.node, str(op.method)):
        given = callers.given(change.work, site, change.name)
        if not site.certain and (given.touched or given.doubtful):
            raise Refusal(f"it cannot be told whether this calls {op.symbol}.", (site.place,))
        if given.doubtful:
            raise Refusal(f"it cannot be told whether this gives {change.name!r}.", (site.place,))
        _respell(change, site.source, given, op.to)
    change.refuse_references()


def _rename_in_class_uses(change: FieldChange, op: RenameField, record: RecordDefinition) -> None:
    """A class as contract: its constructor's arguments and its known objects' attributes follow."""
    for source, node in change.uses(record).of_class():
        if isinstance(node, ast.keyword):
            start = source.span(node)[0]
            change.plan.add(source, Edit(start, start + len(change.name.encode()), op.to.encode()))
        else:
            end = source.span(node)[1]
            change.plan.add(source, Edit(end - len(change.name.encode()), end, op.to.encode()))


def _refuse_unknown_callee(change: FieldChange, source: Source, nodes: Sequence[ast.AST]) -> None:
    raise Refusal(
        f"it cannot be told whether this is {change.op.address}; an annotation of what it is called on would tell.",
        source.places(*nodes),
    )
