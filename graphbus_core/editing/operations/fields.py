"""Any operation on a field: find where its contract declares it, then hand over to the operation's own file.

A change is followed or refused (design §7): what cannot be followed with certainty raises Refusal with the lines named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from graphbus_core.analysis import scopes
from graphbus_core.analysis.keys import KeyTrace, KeyTracer
from graphbus_core.analysis.scopes import FUNCTIONS, Function
from graphbus_core.editing import call_sites, contract_records, signature
from graphbus_core.editing.contract_records import RecordDefinition
from graphbus_core.editing.edit_plan import EditPlan, accepts_constant, find_plain_default, parse_default, quote_text
from graphbus_core.editing.operations.field_change import FieldChange
from graphbus_core.editing.operations.new_keys import add_key_to_results
from graphbus_core.editing.receivers import ReceiverJudge, map_parents
from graphbus_core.editing.signature import Signature
from graphbus_core.editing.source import Edit, Source, find_group, read_group
from graphbus_core.editing.statements import find_block, remove_statement
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.model.operation import (
    AddField,
    FieldOperation,
    Operation,
    RemoveField,
    RenameField,
    RetypeField,
    SetOptional,
)
from graphbus_core.syntax import last_name

# Whether code only gives a value, so that it can go when nobody wants the value. Knows nothing of fields.


MAX_DEPTH = 3  # inner functions that call inner functions
_DOING = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_GIVING = frozenset(
    """abs all any bool bytes dict float frozenset int isinstance len list max min range repr reversed round set sorted
    str sum tuple type zip""".split()  # noqa: SIM905
)


def is_pure(code: ast.AST, function: Function, depth: int = 0) -> bool:
    """Whether code only gives a value: it calls Python's own makers of values, and inner functions that do."""
    for node in ast.walk(code):
        if isinstance(node, ast.Call):
            is_known_maker = isinstance(node.func, ast.Name) and node.func.id in _GIVING - scopes.collect_bound_names(
                function.body
            )
            text = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant | ast.JoinedStr)
            if not is_known_maker and not text and not _is_pure_inner_call(node, function, depth):
                return False
        elif isinstance(node, _DOING):
            return False
    return True


def _is_pure_inner_call(call: ast.Call, function: Function, depth: int) -> bool:
    """Whether a call is one of a function inside of this one, written once, that only gives a value."""
    if not isinstance(call.func, ast.Name) or depth > MAX_DEPTH:
        return False
    name = call.func.id
    definitions = [n for n in scopes.iter_own_nodes(function) if isinstance(n, FUNCTIONS) and n.name == name]
    if len(definitions) != 1:
        return False
    return all(
        isinstance(s, ast.Return | ast.Assign | ast.If | ast.Expr)
        and not any(
            isinstance(t, ast.Attribute | ast.Subscript) and not isinstance(t.ctx, ast.Load) for t in ast.walk(s)
        )
        and not any(isinstance(t, ast.Nonlocal | ast.Global | ast.Raise | ast.Delete) for t in ast.walk(s))
        and is_pure(s, function, depth + 1)
        for s in definitions[0].body
    )


# Add a field: its contract, the parameter that takes it, the objects that must hold it.


def plan_field_addition(change: FieldChange, op: AddField, record: RecordDefinition) -> bool:
    """Add the field to a contract that stands. False where it is there already, just so."""
    if not contract_records.write_field(
        change.plan, record, change.name, op.type, op.optional, op.description, op.default
    ):
        # One class may be the contract of several methods: declared by the first of them, it is new to the others.
        if any(isinstance(o, AddField) and o is not op and o.field == op.field for o in change.diff):
            _follow_addition(change, op, record)
        return bool(change.plan.edits)
    if record.flavour in ("dataclass", "pydantic") and not op.optional:
        constructed_ids = change.collect_constructed_ids(record)
        change.build_contract_uses(record).refuse_constructors(
            lambda call: id(call) not in constructed_ids and all(k.arg != change.name for k in call.keywords)
        )
    _follow_addition(change, op, record)
    return True


def declare_field(change: FieldChange, op: AddField, source: Source, call: ast.expr) -> bool:
    """The side was not declared: declare it with this one field."""
    _write_contract(change, op, source, call)
    _follow_addition(change, op, None)
    return True


def _write_contract(change: FieldChange, op: AddField, source: Source, call: ast.expr) -> None:
    written_type = contract_records.render_type(
        change.plan, source, op.type, op.description, "NotRequired" if op.optional else None
    )
    contract = f"{{{quote_text(change.name)}: {written_type}}}"
    if not isinstance(call, ast.Call):  # a bare decorator gets its parentheses
        end = source.span(call)[1]
        change.plan.add(source, Edit(end, end, f"({op.side}_schema={contract})".encode()))
        return
    existing = contract_records.find_argument(
        call, *(("payload", 1) if op.side == "payload" else (f"{op.side}_schema", 9))
    )
    if op.side != "payload" and existing is None and len(call.args) > ("input", "output").index(op.side):
        existing = call.args[("input", "output").index(op.side)]
    if existing is not None:
        change.plan.replace(source, existing, contract)
        return
    start, end = source.span(call.func)[1], source.span(call)[1]
    whole = find_group(source, start, end)
    keyword = "payload" if op.side == "payload" else f"{op.side}_schema"
    change.plan.add(source, *whole.insert(len(whole.items), f"{keyword}={contract}"))


def _follow_addition(change: FieldChange, op: AddField, record: RecordDefinition | None) -> None:
    if op.side != "input":
        add_key_to_results(change, op.type, op.optional, op.default, record)
        return
    if len(change.path) > 1:  # a field of a field is read by nobody yet, and no parameter of its own
        return
    if op.default is not None:
        parse_default(op.default)
    sig = change.read_signature()
    hinted = record is not None and record.flavour == "parameters"
    default = op.default
    if hinted:  # a default in the signature would say that the field may be left out
        default = (default or find_plain_default(op.type)) if op.optional else None
    signature.add_parameter(change.plan, sig, change.name, op.type, op.optional, default, hinted)
    if not op.optional and (op.default is None or hinted):
        refuse_missing_argument(change, sig)


def refuse_missing_argument(change: FieldChange, sig: Signature) -> None:
    """A new required parameter: refuse calls that do not give it."""
    parameter_names = {p.arg for p in sig.params}
    for site in call_sites.find_method_calls(change.work, change.op.node, str(change.op.method)):
        trace = call_sites.trace_given_field(change.work, site, change.name)
        opaque = any(k.arg is None for k in site.call.keywords) or (site.named and len(site.call.args) > site.shift)
        if trace.has_key or (site.named and opaque and not _is_literal_payload(change, site)):
            continue
        if site.certain or any(k.arg in parameter_names for k in site.call.keywords):
            raise Refusal(f"a call of {change.op.symbol} does not give the new required field.", (site.place,))
    for reference in call_sites.find_references(change.work, change.op.node, str(change.op.method)):
        if reference.certain or any(call_sites.may_use_field(change.work, reference, name) for name in parameter_names):
            raise Refusal(f"{change.op.symbol} is handed on here, without the new required field.", (reference.place,))


def _is_literal_payload(change: FieldChange, site: call_sites.CallSite) -> bool:
    """Whether the payload of a call by name is written out, so that what is not in it is not given."""
    values = [*site.call.args[site.shift :], *(k.value for k in site.call.keywords if k.arg in (None, "payload"))]
    tracer, trace = KeyTracer(call_sites.find_enclosing_function(site.source, site.call)), KeyTrace()
    for value in values:
        tracer.make(value, [change.name], trace)
    return not trace.unknown


# Remove a field: from its contract and from what the code makes; refused while anybody uses it.


def plan_field_removal(change: FieldChange, record: RecordDefinition) -> bool:
    """Remove the field. False, with a note, where there is no such field."""
    try:
        holder = contract_records.find_field(change.work, record, change.name)[0]
    except Refusal as e:
        change.plan.notes.append(f"{change.op.address}: {e.reason}")
        return False
    contract_records.erase_field(change.plan, holder, change.name)
    change.refuse_code_in_text()
    change.build_contract_uses(holder).refuse_runtime_uses()
    if isinstance(holder.node, ast.ClassDef) and holder.flavour != "typeddict":
        change.build_contract_uses(holder).refuse_class_uses(change.collect_constructed_ids(holder))
    if change.op.side == "input":
        _remove_input(change)
    else:
        _remove_from_results(change, holder)
        _refuse_readers(change, holder)
    return True


def _remove_input(change: FieldChange) -> None:
    sig, trace, param = change.trace_input()
    if param is not None:
        _refuse_callers(change, sig)
        signature.remove_parameter(change.plan, sig, change.name)
    else:
        change.refuse_used(sig.source, [*trace.keys, *trace.doubtful])


def _remove_from_results(change: FieldChange, record: RecordDefinition) -> None:
    for source, _, _, trace in change.find_makers(record):
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
            whole = find_group(source, source.span(holder.func)[1], source.span(holder)[1])
            _refuse_side_effects(change, source, keyword.value)
            change.plan.add(source, *whole.remove(whole.find_item(source.span(keyword)[0])))


def _refuse_readers(change: FieldChange, record: RecordDefinition) -> None:
    if change.op.side == "payload":
        for source, trace in change.trace_handlers():
            change.refuse_used(source, trace.keys)
    else:
        for site, trace in change.trace_results(record):
            change.refuse_used(site.source, trace.keys)


def _remove_store(change: FieldChange, source: Source, read: ast.expr, gone: set[int]) -> None:
    statement = map_parents(source).get(id(read))
    if not isinstance(statement, ast.Assign) or statement.targets != [read]:
        raise Refusal(f"{change.name!r} is set here in a way that cannot be taken out.", source.places(read))
    _refuse_side_effects(change, source, statement.value)
    change.plan.add(source, remove_statement(source, find_block(source.tree, statement), statement))
    gone.add(id(read.slice) if isinstance(read, ast.Subscript) else 0)


def _remove_key(change: FieldChange, source: Source, trace: KeyTrace, key: ast.AST) -> None:
    start = source.span(key)[0]
    holder = next((n for n in trace.literals if isinstance(n, ast.Dict) and key in n.keys), None)
    if holder is None:
        _remove_conditional_key(change, source, trace, start)
        return
    _refuse_side_effects(change, source, holder.values[holder.keys.index(key)])  # type: ignore[arg-type]
    if len(holder.keys) == 2 and None in holder.keys:  # `{**result, "x": …}`, as `giving` writes it
        change.plan.replace(source, holder, source.text(holder.values[holder.keys.index(None)]))
        return
    whole = contract_records.read_dict_entries(source, holder)
    change.plan.add(source, *whole.remove(whole.find_item(start)))


def _remove_conditional_key(change: FieldChange, source: Source, trace: KeyTrace, start: int) -> None:
    """The key stands inside `**({"x": x} if … else {})`, as `giving` writes it: all of that goes."""
    for literal in trace.literals:
        first, last = source.span(literal)
        if first < start < last and isinstance(literal, ast.Dict):
            whole = read_group(source, first, last)
            index = whole.find_item(start)
            spread = next(v for v in literal.values if source.span(v)[0] < start < source.span(v)[1])
            inner = [spread.body, spread.orelse] if isinstance(spread, ast.IfExp) else []
            # With a second key in it, taking the whole spread away would take that one, too.
            if sum(len(d.keys) for d in inner if isinstance(d, ast.Dict)) == 1:
                change.plan.add(source, *whole.remove(index))
                return
    raise Refusal(
        f"{change.name!r} is given here in a way that cannot be taken out.", (f"{source.path}:{source.line(start)}",)
    )


def _refuse_side_effects(change: FieldChange, source: Source, value: ast.expr) -> None:
    """A value that is computed by a call may be wanted for what the call does: it is not taken away silently."""
    if not is_pure(value, call_sites.find_enclosing_function(source, value)):
        raise Refusal(f"the value of {change.name!r} does more than give a value.", source.places(value))


def _refuse_callers(change: FieldChange, sig: Signature) -> None:
    """A parameter goes: refuse calls that give it, or that give by position what stands behind it."""
    param = sig.find_parameter(change.name)
    index = list(sig.params).index(param) if param in sig.params else len(sig.params)
    behind = index if param not in sig.function.args.kwonlyargs else len(sig.params)
    for site in call_sites.find_method_calls(change.work, change.op.node, str(change.op.method)):
        trace, by_position = (
            call_sites.trace_given_field(change.work, site, change.name),
            call_sites.count_positional_arguments(site),
        )
        if trace.has_key or trace.doubtful:
            raise Refusal(f"a call of {change.op.symbol} gives {change.name!r}.", (site.place,))
        if by_position is None or by_position > behind:
            raise Refusal(f"a call of {change.op.symbol} gives {change.name!r} by position.", (site.place,))
    change.refuse_references()


# Rename a field and follow it: its contract, who makes it, who reads it, who gives it as an argument.


def plan_field_rename(change: FieldChange, op: RenameField, record: RecordDefinition) -> bool:
    """Rename the field. False where it has its new name already."""
    renamed = change.name not in record.collect_fields() and op.to in record.collect_fields()
    if op.to == change.name or renamed:
        return False
    holder, _ = contract_records.find_field(change.work, record, change.name)
    contract_records.write_field_name(change.plan, holder, change.name, op.to)
    _follow_rename(change, op, holder)
    return True


def _follow_rename(change: FieldChange, op: RenameField, record: RecordDefinition) -> None:
    change.refuse_code_in_text()
    change.build_contract_uses(record).refuse_runtime_uses()
    if isinstance(record.node, ast.ClassDef):
        _rename_in_class_uses(change, op, record)
    if op.side == "input":
        sig, trace, param = change.trace_input()
        if param is not None:
            signature.rename_parameter(change.plan, sig, change.name, op.to)
            _rename_arguments(change, op)
            return
        change.refuse_doubt(sig.source, trace)
        _rename_keys(change, sig.source, trace, op.to)
        _rename_arguments(change, op)
        return
    for source, _, _, trace in change.find_makers(record):
        change.refuse_doubt(source, trace)
        _rename_keys(change, source, trace, op.to)
    if op.side == "payload":
        handled = change.trace_handlers()
        if any(trace.keys for _, trace in handled):
            _refuse_other_publishers(change, op)
        for source, trace in handled:
            change.refuse_doubt(source, trace)
            _rename_keys(change, source, trace, op.to)
    else:
        change.refuse_references()
        for site, trace in change.trace_results(record):
            if not site.certain and trace.keys:
                _refuse_unknown_callee(change, site.source, trace.keys)
            _rename_keys(change, site.source, trace, op.to)


def _refuse_other_publishers(change: FieldChange, op: RenameField) -> None:
    """A handler that is changed for one publisher fails on what the others publish, unless they change along."""
    # The same rename in the same diff, for another publisher: then both change at once, and nobody is broken.
    along = {
        o.node
        for o in change.diff
        if isinstance(o, RenameField) and (o.topic, o.field, o.to) == (op.topic, op.field, op.to)
    }
    own = {id(n) for name in along - {op.node} for n in ast.walk(change.work.find_node_class(name)[1])}
    other = [
        (other_source, call)
        for other_source, call in call_sites.find_other_publishes(change.work, op.node, str(op.topic))
        if id(call) not in own
    ]
    if other:
        raise Refusal(
            f"{op.topic} is published to from here as well, with {change.name!r} for its handlers.",
            tuple(f"{other_source.path}:{call.lineno}" for other_source, call in other),
        )


def _rename_keys(change: FieldChange, source: Source, trace: KeyTrace, to: str) -> None:
    for key in trace.keys:
        change.plan.replace(source, key, contract_records.replace_literal_text(source, key, to))
    for keyword in trace.keywords:
        if not to.isidentifier():
            raise Refusal(f"{to!r} cannot be an argument's name.", source.places(keyword.value))
        start = source.span(keyword)[0]
        change.plan.add(source, Edit(start, start + len(change.name.encode()), to.encode()))


def _rename_arguments(change: FieldChange, op: RenameField) -> None:
    if len(change.path) > 1:
        return
    along = {o.node for o in change.diff if isinstance(o, RenameField) and (o.field, o.to) == (op.field, op.to)}
    for source, cls, function in ReceiverJudge(change.work, op.node, str(op.method)).find_overrides():
        if cls.name not in along and any(p.arg == change.name for p in scopes.list_parameters(function.args)):
            raise Refusal(
                f"{cls.name}.{op.method} stands for {op.symbol} in a subclass, with {change.name!r}.",
                source.places(function),
            )
    for site in call_sites.find_method_calls(change.work, op.node, str(op.method)):
        trace = call_sites.trace_given_field(change.work, site, change.name)
        if not site.certain and (trace.has_key or trace.doubtful):
            raise Refusal(f"it cannot be told whether this calls {op.symbol}.", (site.place,))
        if trace.doubtful:
            raise Refusal(f"it cannot be told whether this gives {change.name!r}.", (site.place,))
        _rename_keys(change, site.source, trace, op.to)
    change.refuse_references()


def _rename_in_class_uses(change: FieldChange, op: RenameField, record: RecordDefinition) -> None:
    """A class as contract: its constructor's arguments and its known objects' attributes follow."""
    for source, node in change.build_contract_uses(record).find_class_uses():
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


# Give a field another type: its contract, the annotation of its parameter; constants must fit it.


def plan_field_retype(change: FieldChange, op: RetypeField, record: RecordDefinition) -> bool:
    """Write the new type. False where it says so already."""
    holder, before = change.find_declaration(record)
    if not contract_records.write_field_type(change.plan, holder, change.name, op.type):
        return False
    if op.side == "input" and len(change.path) == 1:
        signature.change_parameter_type(change.plan, change.read_signature(), change.name, before, op.type)
    if op.side == "output":
        _refuse_misfits(change, op)
    return True


def _refuse_misfits(change: FieldChange, op: RetypeField) -> None:
    """A constant that the new type does not take is a lie in the source: the code must change first."""
    for source, _, _, trace in change.find_makers(None):
        for value in _find_constants(change.name, trace):
            if not accepts_constant(op.type, value.value):
                raise Refusal(
                    f"{op.address} is {source.text(value)} here, which is not {op.type}.", source.places(value)
                )


def _find_constants(name: str, trace: KeyTrace) -> Iterator[ast.Constant]:
    """The constants that dict literals give the field."""
    for literal in trace.literals:
        if isinstance(literal, ast.Dict):
            for key, value in zip(literal.keys, literal.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == name and isinstance(value, ast.Constant):
                    yield value


# Let a field be left out, or require it: its contract, its parameter, the code that reads it.


def plan_field_presence(change: FieldChange, op: SetOptional, record: RecordDefinition) -> bool:
    """Write the new presence. False where it is so already."""
    holder, type_text = change.find_declaration(record)
    if not contract_records.write_presence(change.plan, holder, change.name, op.optional, op.default):
        return False
    _follow_presence(change, op, holder, type_text)
    return True


def _follow_presence(change: FieldChange, op: SetOptional, record: RecordDefinition, type_text: str) -> None:
    if op.default is not None:
        parse_default(op.default)
    if op.side == "input":
        hinted = record.flavour == "parameters"
        if not op.optional and not hinted:
            return
        sig, trace, param = change.trace_input()
        if not op.optional:
            signature.require_parameter(change.plan, sig, change.name)
            refuse_missing_argument(change, sig)
            return
        if param is not None:
            default = op.default or (find_plain_default(type_text) if hinted else None)
            sites = (
                call_sites.find_method_calls(change.work, op.node, str(op.method))
                if sig.find_default(param) is None
                else []
            )
            place = list(sig.params).index(param)
            positional = [
                s.place for s in sites if (n := call_sites.count_positional_arguments(s)) is None or n > place
            ]
            signature.set_default(change.plan, sig, param, type_text, default, positional, hinted)
            return
        if len(change.path) > 1 or sig.mapping is not None:
            _tolerate_absence(change, sig.source, trace, type_text, op.default)
        return
    if not op.optional:
        add_key_to_results(change, type_text, False, op.default, record)
    elif op.side == "payload":
        for source, trace in change.trace_handlers():
            _tolerate_absence(change, source, trace, type_text, op.default)


def _tolerate_absence(
    change: FieldChange, source: Source, trace: KeyTrace, type_text: str, default: str | None
) -> None:
    """`payload["x"]` becomes `payload.get("x", default)`."""
    up = map_parents(source)
    lost: list[ast.AST] = [r for r in trace.reads if _is_bare_pop(r)]
    lost += [r for r in trace.reads if _needs_value(r, up.get(id(r)), default)]
    lost += [n for n in trace.doubtful if not _is_shown_to_people(up, n)]
    if lost:
        raise Refusal(f"{change.op.address} may be needed here; replace_body first.", source.places(*lost))
    reads = [r for r in trace.reads if isinstance(r, ast.Subscript) and isinstance(r.ctx, ast.Load)]
    fallback = default or find_plain_default(type_text)
    if reads and fallback is None:
        change.refuse_used(source, list(reads))
    for read in reads:
        start, end = source.span(read.value)[1], source.span(read)[1]
        key = source.text(read.slice)
        change.plan.add(source, Edit(start, end, f".get({key}, {fallback})".encode()))


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


def _is_shown_to_people(up: dict[int, ast.AST], node: ast.AST) -> bool:
    """Whether a whole payload goes to people only: an f-string, a logger."""
    parent = up.get(id(node))
    return isinstance(parent, ast.FormattedValue) or (
        isinstance(parent, ast.Call)
        and last_name(parent.func) in call_sites.LOGGER_METHODS
        and isinstance(parent.func, ast.Attribute)
    )


def plan_field_operation(plan: EditPlan, op: FieldOperation, diff: Sequence[Operation]) -> bool:
    """Plan the edits of one field operation. False where everything is so already."""
    change = FieldChange(plan, op, diff)
    source, expr, call, owner = contract_records.find_declaration(change.work, op)
    if expr is None:
        if not isinstance(op, AddField) or len(change.path) > 1:
            raise Refusal(f"{op.symbol} declares no {op.side} contract.", source.places(call))
        return declare_field(change, op, source, call)
    record = contract_records.find_record(change.work, source, expr, change.path, owner)
    match op:
        case AddField():
            return plan_field_addition(change, op, record)
        case RemoveField():
            return plan_field_removal(change, record)
        case RetypeField():
            return plan_field_retype(change, op, record)
        case SetOptional():
            return plan_field_presence(change, op, record)
        case RenameField():
            return plan_field_rename(change, op, record)
    raise Refusal(f"{op.op} is not known here.")
