"""Add a field: its contract, the parameter that takes it, the objects that must hold it."""

from __future__ import annotations

import ast

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit import declared, records, signature
from graphbus_core.build.edit.followed import callers, calls
from graphbus_core.build.edit.operations.change import FieldChange
from graphbus_core.build.edit.operations.giving import give
from graphbus_core.build.edit.records import RecordDefinition
from graphbus_core.build.edit.signature import Signature
from graphbus_core.build.edit.text.edit_plan import parse_default, quoted
from graphbus_core.build.edit.text.groups import bracket_group
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.type_text import default_for
from graphbus_core.build.understand.keys import Trace, Tracer
from graphbus_core.model.operation import AddField


def run(change: FieldChange, op: AddField, record: RecordDefinition) -> bool:
    """Add the field to a contract that stands. False where it is there already, just so."""
    if not declared.add(change.plan, record, change.name, op.type, op.optional, op.description, op.default):
        # One class may be the contract of several methods: declared by the first of them, it is new to the others.
        if any(isinstance(o, AddField) and o is not op and o.field == op.field for o in change.diff):
            _follow(change, op, record)
        return bool(change.plan.edits)
    if record.flavour in ("dataclass", "pydantic") and not op.optional:
        made = change.made(record)
        change.uses(record).refuse_constructors(
            lambda call: id(call) not in made and all(k.arg != change.name for k in call.keywords)
        )
    _follow(change, op, record)
    return True


def declare(change: FieldChange, op: AddField, source: Source, call: ast.expr) -> bool:
    """The side was not declared: declare it with this one field."""
    _write_contract(change, op, source, call)
    _follow(change, op, None)
    return True


def _write_contract(change: FieldChange, op: AddField, source: Source, call: ast.expr) -> None:
    written = declared.typed(change.plan, source, op.type, op.description, "NotRequired" if op.optional else None)
    contract = f"{{{quoted(change.name)}: {written}}}"
    if not isinstance(call, ast.Call):  # a bare decorator gets its parentheses
        end = source.span(call)[1]
        change.plan.add(source, Edit(end, end, f"({op.side}_schema={contract})".encode()))
        return
    given = records.argument(call, *(("payload", 1) if op.side == "payload" else (f"{op.side}_schema", 9)))
    if op.side != "payload" and given is None and len(call.args) > ("input", "output").index(op.side):
        given = call.args[("input", "output").index(op.side)]
    if given is not None:
        change.plan.replace(source, given, contract)
        return
    start, end = source.span(call.func)[1], source.span(call)[1]
    whole = bracket_group(source, start, end)
    keyword = "payload" if op.side == "payload" else f"{op.side}_schema"
    change.plan.add(source, *whole.insert(len(whole.items), f"{keyword}={contract}"))


def _follow(change: FieldChange, op: AddField, record: RecordDefinition | None) -> None:
    if op.side != "input":
        give(change, op.type, op.optional, op.default, record)
        return
    if len(change.path) > 1:  # a field of a field is read by nobody yet, and no parameter of its own
        return
    if op.default is not None:
        parse_default(op.default)
    sig = change.signature()
    hinted = record is not None and record.flavour == "parameters"
    default = op.default
    if hinted:  # a default in the signature would say that the field may be left out
        default = (default or default_for(op.type)) if op.optional else None
    signature.add(change.plan, sig, change.name, op.type, op.optional, default, hinted)
    if not op.optional and (op.default is None or hinted):
        refuse_without(change, sig)


def refuse_without(change: FieldChange, sig: Signature) -> None:
    """A new required parameter: refuse calls that do not give it."""
    known = {p.arg for p in sig.params}
    for site in calls.of_method(change.work, change.op.node, str(change.op.method)):
        given = callers.given(change.work, site, change.name)
        opaque = any(k.arg is None for k in site.call.keywords) or (site.named and len(site.call.args) > site.shift)
        if given.touched or (site.named and opaque and not _literal(change, site)):
            continue
        if site.certain or any(k.arg in known for k in site.call.keywords):
            raise Refusal(f"a call of {change.op.symbol} does not give the new required field.", (site.place,))
    for one in calls.references(change.work, change.op.node, str(change.op.method)):
        if one.certain or any(callers.speaks_of(change.work, one, name) for name in known):
            raise Refusal(f"{change.op.symbol} is handed on here, without the new required field.", (one.place,))


def _literal(change: FieldChange, site: calls.CallSite) -> bool:
    """Whether the payload of a call by name is written out, so that what is not in it is not given."""
    given = [*site.call.args[site.shift :], *(k.value for k in site.call.keywords if k.arg in (None, "payload"))]
    tracer, trace = Tracer(callers.enclosing(site.source, site.call)), Trace()
    for value in given:
        tracer.make(value, [change.name], trace)
    return not trace.unknown
