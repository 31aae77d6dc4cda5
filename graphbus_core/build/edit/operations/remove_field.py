"""Remove a field: from its contract and from what the code makes; refused while anybody uses it."""

from __future__ import annotations

import ast

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit import declared, records, signature
from graphbus_core.build.edit.followed import callers, calls
from graphbus_core.build.edit.followed.effects import gives_only
from graphbus_core.build.edit.followed.receivers import parents
from graphbus_core.build.edit.operations.change import FieldChange
from graphbus_core.build.edit.records import RecordDefinition
from graphbus_core.build.edit.signature import Signature
from graphbus_core.build.edit.text.groups import bracket_group, group
from graphbus_core.build.edit.text.source import Source
from graphbus_core.build.edit.text.statements import block_of, remove_statement
from graphbus_core.build.understand.keys import Trace


def run(change: FieldChange, record: RecordDefinition) -> bool:
    """Remove the field. False, with a note, where there is no such field."""
    try:
        holder = records.having(change.work, record, change.name)[0]
    except Refusal as e:
        change.plan.notes.append(f"{change.op.address}: {e.reason}")
        return False
    declared.remove(change.plan, holder, change.name)
    change.refuse_text()
    change.uses(holder).refuse_running()
    if isinstance(holder.node, ast.ClassDef) and holder.flavour != "typeddict":
        change.uses(holder).refuse_class(change.made(holder))
    if change.op.side == "input":
        _remove_input(change)
    else:
        _remove_made(change, holder)
        _refuse_readers(change, holder)
    return True


def _remove_input(change: FieldChange) -> None:
    sig, trace, param = change.input_trace()
    if param is not None:
        _refuse_callers(change, sig)
        signature.remove(change.plan, sig, change.name)
    else:
        change.refuse_used(sig.source, [*trace.keys, *trace.doubtful])


def _remove_made(change: FieldChange, record: RecordDefinition) -> None:
    for source, _, _, trace in change.makers(record):
        change.refuse_doubt(source, trace)
        change.refuse_used(source, [r for r in trace.reads if not isinstance(getattr(r, "ctx", None), ast.Store)])
        # `result["x"] = …` goes as a statement; its key must not be looked for in a literal as well.
        gone: set[int] = set()
        for read in trace.reads:
            _remove_store(change, source, read, gone)
        for key in trace.keys:
            if id(key) not in gone:
                _remove_key(change, source, trace, key)
        for keyword in trace.keywords:
            holder = next(n for n in trace.literals if isinstance(n, ast.Call) and keyword in n.keywords)
            whole = bracket_group(source, source.span(holder.func)[1], source.span(holder)[1])
            _refuse_effect(change, source, keyword.value)
            change.plan.add(source, *whole.remove(whole.index(source.span(keyword)[0])))


def _refuse_readers(change: FieldChange, record: RecordDefinition) -> None:
    if change.op.side == "payload":
        for source, trace in change.handled():
            change.refuse_used(source, trace.keys)
    else:
        for site, trace in change.results(record):
            change.refuse_used(site.source, trace.keys)


def _remove_store(change: FieldChange, source: Source, read: ast.expr, gone: set[int]) -> None:
    statement = parents(source).get(id(read))
    if not isinstance(statement, ast.Assign) or statement.targets != [read]:
        raise Refusal(f"{change.name!r} is set here in a way that cannot be taken out.", source.places(read))
    _refuse_effect(change, source, statement.value)
    change.plan.add(source, remove_statement(source, block_of(source.tree, statement), statement))
    gone.add(id(read.slice) if isinstance(read, ast.Subscript) else 0)


def _remove_key(change: FieldChange, source: Source, trace: Trace, key: ast.AST) -> None:
    start = source.span(key)[0]
    holder = next((n for n in trace.literals if isinstance(n, ast.Dict) and key in n.keys), None)
    if holder is None:
        _remove_conditional(change, source, trace, start)
        return
    _refuse_effect(change, source, holder.values[holder.keys.index(key)])  # type: ignore[arg-type]
    if len(holder.keys) == 2 and None in holder.keys:  # `{**result, "x": …}`, as `giving` writes it
        change.plan.replace(source, holder, source.text(holder.values[holder.keys.index(None)]))
        return
    whole = declared.entries(source, holder)
    change.plan.add(source, *whole.remove(whole.index(start)))


def _remove_conditional(change: FieldChange, source: Source, trace: Trace, start: int) -> None:
    """The key stands inside `**({"x": x} if … else {})`, as `giving` writes it: all of that goes."""
    for literal in trace.literals:
        first, last = source.span(literal)
        if first < start < last and isinstance(literal, ast.Dict):
            whole = group(source, first, last)
            index = whole.index(start)
            spread = next(v for v in literal.values if source.span(v)[0] < start < source.span(v)[1])
            inner = [spread.body, spread.orelse] if isinstance(spread, ast.IfExp) else []
            # With a second key in it, taking the whole spread away would take that one, too.
            if sum(len(d.keys) for d in inner if isinstance(d, ast.Dict)) == 1:
                change.plan.add(source, *whole.remove(index))
                return
    raise Refusal(
        f"{change.name!r} is given here in a way that cannot be taken out.", (f"{source.path}:{source.line(start)}",)
    )


def _refuse_effect(change: FieldChange, source: Source, value: ast.expr) -> None:
    """A value that is computed by a call may be wanted for what the call does: it is not taken away silently."""
    if not gives_only(value, callers.enclosing(source, value)):
        raise Refusal(f"the value of {change.name!r} does more than give a value.", source.places(value))


def _refuse_callers(change: FieldChange, sig: Signature) -> None:
    """A parameter goes: refuse calls that give it, or that give by position what stands behind it."""
    param = sig.parameter(change.name)
    index = list(sig.params).index(param) if param in sig.params else len(sig.params)
    behind = index if param not in sig.function.args.kwonlyargs else len(sig.params)
    for site in calls.of_method(change.work, change.op.node, str(change.op.method)):
        given, by_position = callers.given(change.work, site, change.name), callers.positions(site)
        if given.touched or given.doubtful:
            raise Refusal(f"a call of {change.op.symbol} gives {change.name!r}.", (site.place,))
        if by_position is None or by_position > behind:
            raise Refusal(f"a call of {change.op.symbol} gives {change.name!r} by position.", (site.place,))
    change.refuse_references()
