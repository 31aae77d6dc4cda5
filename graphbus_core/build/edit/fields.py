"""The operations on a field: its contract, and everything in code that speaks of it.

A change is followed or refused (design §7): what cannot be followed with certainty raises Refusal with the lines named.
Each function returns False where there was nothing left to do.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit import records, signature
from graphbus_core.build.edit.followed import callers, calls
from graphbus_core.build.edit.followed.effects import gives_only
from graphbus_core.build.edit.followed.follow import Trace, Tracer
from graphbus_core.build.edit.followed.receivers import Receivers, parents
from graphbus_core.build.edit.followed.shapes import ContractUses, word
from graphbus_core.build.edit.records import Record, segments
from graphbus_core.build.edit.signature import Signature, Style
from graphbus_core.build.edit.text import scope
from graphbus_core.build.edit.text.groups import bracket_group, group
from graphbus_core.build.edit.text.plan import Plan, parse_default, quoted
from graphbus_core.build.edit.text.scope import Function
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.worktree import functions, nearest
from graphbus_core.model.operation import (
    AddField,
    FieldOperation,
    Operation,
    RemoveField,
    RenameField,
    RetypeField,
    SetOptional,
)


class FieldEdit:
    """One field operation under way."""

    def __init__(self, plan: Plan, op: FieldOperation, diff: Sequence[Operation]) -> None:
        self.plan, self.op, self.diff, self.work = plan, op, diff, plan.workspace
        self.path = segments(op.field)
        self.name = self.path[-1] if self.path else ""
        if not self.path or self.name == "[]" or self.path[0] == "[]":
            raise Refusal(f"{op.field!r} is no field; write a name, `item.price` or `lines[].price`.")

    def run(self) -> bool:
        """Plan the edits. False where everything is so already."""
        op = self.op
        source, expr, call, owner = records.declaration(self.work, op)
        if expr is None:
            if not isinstance(op, AddField) or len(self.path) > 1:
                raise Refusal(f"{op.symbol} declares no {op.side} contract.", (f"{source.path}:{call.lineno}",))
            self._declare(op, source, call)
            self._added(op, None)
            return True
        record = records.find(self.work, source, expr, self.path, owner)
        match op:
            case AddField():
                if not records.add(self.plan, record, self.name, op.type, op.optional, op.description, op.default):
                    return False
                self._added(op, record)
            case RemoveField():
                holder = self._holder(record)
                if holder is None:
                    return False
                records.remove(self.plan, holder, self.name)
                self._removed(holder)
            case RetypeField():
                holder, (_, value) = records.having(self.work, record, self.name)
                before = holder.source.text(records.peel(value)[0]) if value is not None else "Any"
                if not records.retype(self.plan, holder, self.name, op.type):
                    return False
                self._retyped(op, before)
            case SetOptional():
                holder, (_, value) = records.having(self.work, record, self.name)
                before = holder.source.text(records.peel(value)[0]) if value is not None else "Any"
                if not records.set_optional(self.plan, holder, self.name, op.optional, op.default):
                    return False
                self._presence(op, holder, before)
            case RenameField():
                if op.to == self.name:
                    return False
                if self.name not in record.fields() and op.to in record.fields():
                    return False
                holder, _ = records.having(self.work, record, self.name)
                records.rename(self.plan, holder, self.name, op.to)
                self._renamed(op, holder)
        return True

    def _holder(self, record: Record) -> Record | None:
        try:
            return records.having(self.work, record, self.name)[0]
        except Refusal as e:
            self.plan.notes.append(f"{self.op.address}: {e.reason}")
            return None

    def _declare(self, op: AddField, source: Source, call: ast.Call) -> None:
        """The side was not declared: declare it with this one field."""
        written = self.plan.type_text(source, op.type)
        if op.description:
            written = f"{self.plan.name(source, 'Annotated')}[{written}, {quoted(op.description)}]"
        if op.optional:
            written = f"{self.plan.name(source, 'NotRequired')}[{written}]"
        contract = f"{{{quoted(self.name)}: {written}}}"
        given = records.argument(call, *(("payload", 1) if op.side == "payload" else (f"{op.side}_schema", 9)))
        if op.side != "payload" and given is None and len(call.args) > ("input", "output").index(op.side):
            given = call.args[("input", "output").index(op.side)]
        if given is not None:
            self.plan.replace(source, given, contract)
            return
        start, end = source.span(call.func)[1], source.span(call)[1]
        whole = bracket_group(source, start, end)
        keyword = "payload" if op.side == "payload" else f"{op.side}_schema"
        self.plan.add(source, *whole.insert(len(whole.items), f"{keyword}={contract}"))

    # ---- where the field is in code

    def _signature(self) -> Signature:
        assert self.op.method is not None
        source, owner, function = self.work.method(self.op.node, self.op.method)
        stubs = [f for f in functions(owner) if f.name == self.op.method and f is not function]
        if stubs and not isinstance(self.op, RetypeField | SetOptional):
            raise Refusal(
                f"{self.op.symbol} is written more than once (@overload?), and all of it would have to change.",
                tuple(f"{source.path}:{f.lineno}" for f in stubs),
            )
        return signature.read(source, function, self._fields())

    def _fields(self, side: str = "input") -> list[str]:
        agent = self.work.agents.get(self.op.node)
        declared = agent.method(self.op.method) if agent and self.op.method else None
        schema = declared.input_schema if declared else None
        known = list(schema.fields) if schema else []
        added = [o for o in self.diff if isinstance(o, AddField | RenameField) and o.symbol == self.op.symbol]
        return known + [o.field if isinstance(o, AddField) else o.to for o in added if o.side == "input"]

    def _input_trace(self) -> tuple[Signature, Trace, ast.arg | None]:
        """Where a method's body reads the field, unless it is a parameter of its own (the third)."""
        sig, trace = self._signature(), Trace()
        first = sig.parameter(self.path[0])
        if first is not None and len(self.path) == 1:
            return sig, trace, first
        tracer = Tracer(sig.function)
        if first is not None:
            tracer.hold(first.arg, self.path[1:], trace)
        elif sig.mapping is not None:
            tracer.hold(sig.mapping, self.path, trace, event=sig.style is Style.PAYLOAD)
        tracer.finish(trace)
        return sig, trace, None

    def _makers(self, record: Record | None) -> list[tuple[Source, Function, list[ast.expr], Trace]]:
        """Where the code makes the object that holds the field: returned, or published to the topic."""
        named = record.node.name if record is not None and isinstance(record.node, ast.ClassDef) else None
        if self.op.side == "output":
            assert self.op.method is not None
            source, _, function = self.work.method(self.op.node, self.op.method)
            tracer, trace = Tracer(function, named), Trace()
            values = [r.value for r in tracer.returns() if r.value is not None]
            trace.unknown += tracer.yields()
            for value in values:
                tracer.make(value, self.path, trace)
            tracer.finish(trace)
            self._companions(tracer, trace)
            return [(source, function, values, trace)]
        assert self.op.topic is not None
        published, unknown = calls.of_topic(self.work, self.op.node, self.op.topic)
        if unknown:
            raise Refusal("it cannot be told which topic is published to here.", tuple(unknown))
        made = []
        for one in published:
            tracer, trace = Tracer(one.function, named), Trace()
            if one.payload is not None:
                tracer.make(one.payload, self.path, trace)
            tracer.finish(trace)
            self._companions(tracer, trace)
            made.append((one.source, one.function, [one.payload] if one.payload is not None else [], trace))
        return made

    def _companions(self, tracer: Tracer, trace: Trace) -> None:
        """An object that is both published and returned may be changed where the diff changes both contracts."""

        def together(node: ast.AST) -> bool:
            parent = tracer.parents.get(id(node))
            output = isinstance(parent, ast.Return)
            publish = isinstance(parent, ast.Call) and getattr(parent.func, "attr", "") in calls.PUBLISHING
            return any(
                type(other) is type(self.op)
                and isinstance(other, FieldOperation)
                and other.node == self.op.node
                and other.field == self.op.field
                and ((output and other.side == "output") or (publish and other.side == "payload"))
                for other in self.diff
                if other is not self.op
            )

        trace.escapes = [n for n in trace.escapes if not together(n)]

    def _certain(self, source: Source, trace: Trace) -> None:
        if trace.doubtful:
            lines = sorted({n.lineno for n in trace.doubtful})  # type: ignore[attr-defined]
            raise Refusal(
                f"{self.op.address} cannot be followed with certainty here.", tuple(f"{source.path}:{n}" for n in lines)
            )

    # ---- add

    def _added(self, op: AddField, record: Record | None) -> None:
        if record is not None and record.flavour in ("dataclass", "pydantic") and not op.optional:
            made = self._made(record)
            self._uses(record).refuse_constructors(
                lambda call: id(call) not in made and all(k.arg != self.name for k in call.keywords)
            )
        if op.side == "input":
            if len(self.path) == 1:
                if op.default is not None:
                    parse_default(op.default)
                sig = self._signature()
                required = not op.optional
                signature.add(self.plan, sig, self.name, op.type, op.optional, op.default)
                if required and op.default is None:
                    self._refuse_without(sig)
            return
        self._give(op.type, op.optional, op.default, record)

    def _give(self, type_text: str, optional: bool, default: str | None, record: Record | None) -> None:
        """Put the new key into what the code makes."""
        given = default
        if given is None:
            if optional:
                return
            given = records.default_for(type_text)
        dictlike = record is None or record.flavour in ("dict", "typeddict")
        for source, function, values, trace in self._makers(record):
            if given is None and values:
                raise Refusal(
                    f"{type_text} has no plain value to begin with; give the operation a `default`.",
                    (f"{source.path}:{function.lineno}",),
                )
            if given is None:
                continue
            text, condition = self._value(source, function, given, optional, values)
            careful = default is None  # a value of our own making never replaces one that is there
            if len(self.path) > 1:
                self._certain(source, Trace(unknown=trace.unknown))
                for literal in trace.literals:
                    self._put(source, literal, text, condition)
            else:
                if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in trace.unknown):
                    self._certain(source, trace)
                for value in values:
                    alone = Trace()
                    tracer = Tracer(function)
                    tracer.make(value, self.path, alone)
                    if isinstance(value, ast.Name) and alone.keys and not alone.unknown:
                        continue  # it is given already
                    self._put_into(source, value, text, condition, record, dictlike, careful)

    def _put_into(
        self,
        source: Source,
        expr: ast.expr,
        text: str,
        condition: str | None,
        record: Record | None,
        dictlike: bool,
        careful: bool,
    ) -> None:
        named = record.node.name if record is not None and isinstance(record.node, ast.ClassDef) else None
        match expr:
            case ast.IfExp():
                self._put_into(source, expr.body, text, condition, record, dictlike, careful)
                self._put_into(source, expr.orelse, text, condition, record, dictlike, careful)
            case ast.Constant(value=None):
                pass
            case ast.Dict():
                self._put(source, expr, text, condition)
            case ast.Call(func=ast.Name(id=name)) if name in ("dict", named) and not expr.args:
                self._put(source, expr, text, condition)
            case ast.Call(func=ast.Attribute(attr=name)) if name == named and not expr.args:
                self._put(source, expr, text, condition)
            case _ if dictlike:
                start, end = source.span(expr)
                entry = self._entry(text, condition, '"')
                if careful:
                    self.plan.add(source, Edit(start, start, f"{{{entry}, **".encode()), Edit(end, end, b"}"))
                else:
                    self.plan.add(source, Edit(start, start, b"{**"), Edit(end, end, f", {entry}}}".encode()))
                if isinstance(expr, ast.BoolOp | ast.Lambda | ast.NamedExpr | ast.Compare | ast.Tuple | ast.Await):
                    raise Refusal("this result cannot be extended with certainty.", (f"{source.path}:{expr.lineno}",))
            case _:
                raise Refusal("this result cannot be extended with certainty.", (f"{source.path}:{expr.lineno}",))

    def _put(self, source: Source, literal: ast.AST, text: str, condition: str | None) -> None:
        start, end = source.span(literal)
        if isinstance(literal, ast.Dict):
            keys = [k for k in literal.keys if isinstance(k, ast.Constant)]
            if any(k.value == self.name for k in keys):
                return
            whole = group(source, start, end)
            like = source.text(keys[0]) if keys else '"'
            self.plan.add(source, *whole.insert(len(whole.items), self._entry(text, condition, like[0])))
            return
        assert isinstance(literal, ast.Call)
        if any(k.arg == self.name for k in literal.keywords):
            return
        whole = bracket_group(source, source.span(literal.func)[1], end)
        entry = f"{self.name}={text}" if condition is None else self._entry(text, condition, '"')
        self.plan.add(source, *whole.insert(len(whole.items), entry))

    def _entry(self, text: str, condition: str | None, like: str) -> str:
        key = quoted(self.name, like)
        return f"{key}: {text}" if condition is None else f"**({{{key}: {text}}} if {condition} else {{}})"

    def _value(
        self, source: Source, function: Function, default: str, optional: bool, places: Sequence[ast.expr] = ()
    ) -> tuple[str, str | None]:
        """The value of the new key, and the condition under which it is given (None: always)."""
        tree, text = parse_default(default), default.strip()
        if isinstance(tree, ast.Name) and self.op.side != "input":
            sig = signature.read(source, function, self._fields())
            param = sig.parameter(tree.id)
            if param is not None and optional:
                given = sig.default(param)
                if isinstance(given, ast.Constant) and given.value is None:
                    return text, f"{text} is not None"
                return text, None
            if param is None and sig.mapping is not None and tree.id in self._fields():
                key = quoted(tree.id)
                held = f"{sig.mapping}[{key}]"
                return (held, f"{key} in {sig.mapping}") if optional else (held, None)
        known = {p.arg for p in scope.parameters(function.args)} | scope.bound(function.body)
        known |= scope.bound(source.tree.body)
        if default == self.op_default:
            self._bound_by_then(source, function, tree, places)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id not in known and not hasattr(builtins, node.id):
                local = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
                if node.id not in local:
                    raise Refusal(
                        f"the default {text!r} uses {node.id!r}, which is not known here; {nearest(node.id, known)}.",
                        (f"{source.path}:{function.lineno}",),
                    )
        return text, None

    @property
    def op_default(self) -> str | None:
        """The default that the operation gives."""
        return getattr(self.op, "default", None)

    def _bound_by_then(self, source: Source, function: Function, tree: ast.expr, places: Sequence[ast.expr]) -> None:
        """Refuse a default that names a local which may not be bound where the value is made."""
        own = scope.bound(function.body) - {p.arg for p in scope.parameters(function.args)}
        for name in {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} & own:
            first = min((p.lineno for p in places), default=0)
            before = [s for s in function.body if (s.end_lineno or s.lineno) < first]
            plain = [s for s in before if not isinstance(s, ast.If | ast.For | ast.While | ast.Try | ast.Match)]
            if name not in scope.bound(plain):
                raise Refusal(
                    f"the default {self.op_default!r} uses {name!r}, which may not be bound here yet.",
                    tuple(f"{source.path}:{p.lineno}" for p in places[:1]),
                )

    # ---- remove

    def _removed(self, record: Record) -> None:
        self._uses(record).refuse_running()
        if isinstance(record.node, ast.ClassDef) and record.flavour != "typeddict":
            self._uses(record).refuse_class(self._made(record))
        if self.op.side == "input":
            sig, trace, param = self._input_trace()
            if param is not None:
                self._refuse_callers(sig)
                signature.remove(self.plan, sig, self.name)
                return
            self._refuse_reads(sig.source, [*trace.keys, *trace.doubtful])
            return
        for source, _, _, trace in self._makers(record):
            self._certain(source, trace)
            self._refuse_reads(source, [r for r in trace.reads if not isinstance(getattr(r, "ctx", None), ast.Store)])
            gone: set[int] = set()
            for read in trace.reads:
                self._remove_store(source, read, gone)
            for key in trace.keys:
                if id(key) not in gone:
                    self._remove_key(source, trace, key)
            for keyword in trace.keywords:
                holder = next(n for n in trace.literals if isinstance(n, ast.Call) and keyword in n.keywords)
                whole = bracket_group(source, source.span(holder.func)[1], source.span(holder)[1])
                self._pure(source, keyword.value)
                self.plan.add(source, *whole.remove(whole.index(source.span(keyword)[0])))
        if self.op.side == "payload":
            self._refuse_handlers()
        else:
            self._refuse_results(record)

    def _remove_store(self, source: Source, read: ast.expr, gone: set[int]) -> None:
        for owner in ast.walk(source.tree):
            for block in (getattr(owner, n, None) for n in ("body", "orelse", "finalbody")):
                for statement in block if isinstance(block, list) else ():
                    if isinstance(statement, ast.Assign) and statement.targets == [read]:
                        self._pure(source, statement.value)
                        self.plan.add(source, records.remove_statement(source, block or [], statement))
                        gone.add(id(read.slice) if isinstance(read, ast.Subscript) else 0)
                        return
        raise Refusal(
            f"{self.name!r} is set here in a way that cannot be taken out.", (f"{source.path}:{read.lineno}",)
        )

    def _remove_key(self, source: Source, trace: Trace, key: ast.AST) -> None:
        start = source.span(key)[0]
        holder = next((n for n in trace.literals if isinstance(n, ast.Dict) and key in n.keys), None)
        if holder is None:  # inside `**({"x": x} if … else {})`, as `_entry` writes it
            for literal in trace.literals:
                first, last = source.span(literal)
                if first < start < last and isinstance(literal, ast.Dict):
                    whole = group(source, first, last)
                    index = whole.index(start)
                    spread = next(v for v in literal.values if source.span(v)[0] < start < source.span(v)[1])
                    inner = [spread.body, spread.orelse] if isinstance(spread, ast.IfExp) else []
                    if sum(len(d.keys) for d in inner if isinstance(d, ast.Dict)) == 1:
                        self.plan.add(source, *whole.remove(index))
                        return
            raise Refusal(
                f"{self.name!r} is given here in a way that cannot be taken out.",
                (f"{source.path}:{source.line(start)}",),
            )
        self._pure(source, holder.values[holder.keys.index(key)])  # type: ignore[arg-type]
        if len(holder.keys) == 2 and None in holder.keys:  # `{**result, "x": …}`, as `_put_into` writes it
            self.plan.replace(source, holder, source.text(holder.values[holder.keys.index(None)]))
            return
        whole = records.entries(source, holder)
        self.plan.add(source, *whole.remove(whole.index(start)))

    def _pure(self, source: Source, value: ast.expr) -> None:
        if not gives_only(value, callers.enclosing(source, value)):
            raise Refusal(
                f"the value of {self.name!r} does more than give a value.", (f"{source.path}:{value.lineno}",)
            )

    def _refuse_reads(self, source: Source, nodes: Sequence[ast.AST]) -> None:
        if nodes:
            lines = sorted({n.lineno for n in nodes})  # type: ignore[attr-defined]
            raise Refusal(
                f"{self.op.address} is still used; replace_body first.", tuple(f"{source.path}:{n}" for n in lines)
            )

    def _refuse_handlers(self) -> None:
        for source, trace in self._handled():
            self._refuse_reads(source, trace.keys)

    def _refuse_results(self, record: Record) -> None:
        for site, trace in self._results(record):
            self._refuse_reads(site.source, trace.keys)

    def _unknown_callee(self, source: Source, nodes: Sequence[ast.AST]) -> None:
        lines = sorted({n.lineno for n in nodes})  # type: ignore[attr-defined]
        raise Refusal(
            f"it cannot be told whether this is {self.op.address}; an annotation of what it is called on would tell.",
            tuple(f"{source.path}:{n}" for n in lines),
        )

    # ---- retype, presence

    def _retyped(self, op: RetypeField, before: str) -> None:
        if op.side == "input" and len(self.path) == 1:
            signature.retype(self.plan, self._signature(), self.name, before, op.type)
        if op.side != "output":
            return
        kinds: dict[str, type | tuple[type, ...]] = {"str": str, "int": int, "float": (int, float), "bool": bool}
        wanted = kinds.get(op.type.strip())
        if wanted is None:
            return
        for source, _, _, trace in self._makers(None):
            for literal in trace.literals:
                for key, value in (
                    zip(literal.keys, literal.values, strict=True) if isinstance(literal, ast.Dict) else ()
                ):
                    if isinstance(key, ast.Constant) and key.value == self.name and isinstance(value, ast.Constant):
                        fits = isinstance(value.value, wanted) and (wanted is bool or not isinstance(value.value, bool))
                        if not fits:
                            raise Refusal(
                                f"{self.op.address} is {source.text(value)} here, which is no {op.type}.",
                                (f"{source.path}:{value.lineno}",),
                            )

    def _presence(self, op: SetOptional, record: Record, type_text: str) -> None:
        if op.default is not None:
            parse_default(op.default)
        if op.side == "input":
            if not op.optional:
                return
            sig, trace, param = self._input_trace()
            if param is not None:
                sites = calls.of_method(self.work, op.node, str(op.method)) if sig.default(param) is None else []
                positional = [s.place for s in sites if not s.named and s.call.args]
                signature.set_default(self.plan, sig, param, type_text, op.default, positional)
                return
            if len(self.path) > 1 or sig.mapping is not None:
                self._tolerate(sig.source, trace, type_text, op.default)
            return
        if not op.optional:
            self._give(type_text, False, op.default, record)
        elif op.side == "payload":
            for source, trace in self._handled():
                self._tolerate(source, trace, type_text, op.default)

    def _tolerate(self, source: Source, trace: Trace, type_text: str, default: str | None) -> None:
        """`payload["x"]` becomes `payload.get("x", default)`."""
        reads = [r for r in trace.reads if isinstance(r, ast.Subscript) and isinstance(r.ctx, ast.Load)]
        up = parents(source)
        lost: list[ast.AST] = [
            r for r in trace.reads if isinstance(r, ast.Call) and len(r.args) == 1 and word(r.func) == "pop"
        ]
        for read in trace.reads:
            parent = up.get(id(read))
            if isinstance(parent, ast.Delete) or (isinstance(parent, ast.AugAssign) and parent.target is read):
                lost.append(read)
            elif default is None and read in reads and isinstance(parent, ast.Subscript) and parent.value is read:
                lost.append(read)  # `payload["x"]["y"]`: no plain value has a "y"
        lost += [n for n in trace.doubtful if not _told(up, n)]
        if lost:
            lines = sorted({n.lineno for n in lost})  # type: ignore[attr-defined]
            raise Refusal(
                f"{self.op.address} may be needed here; replace_body first.", tuple(f"{source.path}:{n}" for n in lines)
            )
        given = default or records.default_for(type_text)
        if reads and given is None:
            self._refuse_reads(source, list(reads))
        for read in reads:
            at, end = source.span(read.value)[1], source.span(read)[1]
            key = source.text(read.slice)
            self.plan.add(source, Edit(at, end, f".get({key}, {given})".encode()))

    # ---- rename

    def _renamed(self, op: RenameField, record: Record) -> None:
        self._uses(record).refuse_running()
        if isinstance(record.node, ast.ClassDef):
            self._rename_in_class_uses(op, record)
        if op.side == "input":
            sig, trace, param = self._input_trace()
            if param is not None:
                signature.rename(self.plan, sig, self.name, op.to)
                self._rename_arguments(op)
                return
            self._certain(sig.source, trace)
            self._respell(sig.source, trace, op.to)
            self._rename_arguments(op)
            return
        for source, _, _, trace in self._makers(record):
            self._certain(source, trace)
            self._respell(source, trace, op.to)
        if op.side == "payload":
            handled = self._handled()
            if any(trace.keys for _, trace in handled):
                self._refuse_publishers(op)
            for source, trace in handled:
                self._certain(source, trace)
                self._respell(source, trace, op.to)
        else:
            for site, trace in self._results(record):
                if not site.certain and trace.keys:
                    self._unknown_callee(site.source, trace.keys)
                self._respell(site.source, trace, op.to)

    def _refuse_publishers(self, op: RenameField) -> None:
        """A handler that is changed for one publisher fails on what the others publish, unless they change along."""
        along = {
            o.node
            for o in self.diff
            if isinstance(o, RenameField) and (o.topic, o.field, o.to) == (op.topic, op.field, op.to)
        }
        own = {id(n) for name in along - {op.node} for n in ast.walk(self.work.node(name)[1])}
        other = [(at, call) for at, call in calls.elsewhere(self.work, op.node, str(op.topic)) if id(call) not in own]
        if other:
            raise Refusal(
                f"{op.topic} is published to from here as well, with {self.name!r} for its handlers.",
                tuple(f"{at.path}:{call.lineno}" for at, call in other),
            )

    def _respell(self, source: Source, trace: Trace, to: str) -> None:
        for key in trace.keys:
            self.plan.replace(source, key, records.respell(source, key, to))
        for keyword in trace.keywords:
            if not to.isidentifier():
                raise Refusal(f"{to!r} cannot be an argument's name.", (f"{source.path}:{keyword.value.lineno}",))
            start = source.span(keyword)[0]
            self.plan.add(source, Edit(start, start + len(self.name.encode()), to.encode()))

    def _rename_arguments(self, op: RenameField) -> None:
        if len(self.path) > 1:
            return
        along = {o.node for o in self.diff if isinstance(o, RenameField) and (o.field, o.to) == (op.field, op.to)}
        for source, cls, function in Receivers(self.work, op.node, str(op.method)).overriders():
            if cls.name not in along and any(p.arg == self.name for p in scope.parameters(function.args)):
                raise Refusal(
                    f"{cls.name}.{op.method} stands for {op.symbol} in a subclass, with {self.name!r}.",
                    (f"{source.path}:{function.lineno}",),
                )
        for site in calls.of_method(self.work, op.node, str(op.method)):
            given = callers.given(self.work, site, self.name)
            if not site.certain and (given.touched or given.doubtful):
                raise Refusal(f"it cannot be told whether this calls {op.symbol}.", (site.place,))
            if given.doubtful:
                raise Refusal(f"it cannot be told whether this gives {self.name!r}.", (site.place,))
            self._respell(site.source, Trace(keys=given.keys, keywords=given.keywords), op.to)
        self._refuse_references()

    def _refuse_references(self) -> None:
        """A method that is handed on (`partial(a.go, n=1)`) is called by code that is not followed."""
        for one in calls.references(self.work, self.op.node, str(self.op.method)):
            if callers.speaks_of(one, self.name):
                raise Refusal(f"{self.op.symbol} is handed on here, and may be given {self.name!r}.", (one.place,))

    def _rename_in_class_uses(self, op: RenameField, record: Record) -> None:
        """A class as contract: its constructor's arguments and its known objects' attributes follow."""
        for source, node in self._uses(record).of_class():
            if isinstance(node, ast.keyword):
                start = source.span(node)[0]
                self.plan.add(source, Edit(start, start + len(self.name.encode()), op.to.encode()))
            else:
                end = source.span(node)[1]
                self.plan.add(source, Edit(end - len(self.name.encode()), end, op.to.encode()))

    def _uses(self, record: Record) -> ContractUses:
        return ContractUses(self.work, record, self.name, self.op.method or "")

    def _made(self, record: Record) -> set[int]:
        """The constructor calls, and their keywords, by which the operation's own code makes the object."""
        if self.op.side == "input":
            return set()
        traces = [trace for _, _, _, trace in self._makers(record)]
        return {id(n) for trace in traces for n in [*trace.literals, *trace.keywords]}

    def _refuse_callers(self, sig: Signature) -> None:
        """A parameter goes: refuse calls that give it, or that give by position what stands behind it."""
        param = sig.parameter(self.name)
        index = list(sig.params).index(param) if param in sig.params else len(sig.params)
        behind = index if param not in sig.function.args.kwonlyargs else len(sig.params)
        for site in calls.of_method(self.work, self.op.node, str(self.op.method)):
            given, by_position = callers.given(self.work, site, self.name), callers.positions(site)
            if given.touched or given.doubtful:
                raise Refusal(f"a call of {self.op.symbol} gives {self.name!r}.", (site.place,))
            if by_position is None or by_position > behind:
                raise Refusal(f"a call of {self.op.symbol} gives {self.name!r} by position.", (site.place,))
        self._refuse_references()

    def _refuse_without(self, sig: Signature) -> None:
        """A new required parameter: refuse calls that do not give it."""
        known = {p.arg for p in sig.params}
        for site in calls.of_method(self.work, self.op.node, str(self.op.method)):
            given = callers.given(self.work, site, self.name)
            opaque = any(k.arg is None for k in site.call.keywords) or (site.named and len(site.call.args) > site.shift)
            if given.touched or (site.named and opaque and not self._literal(site)):
                continue
            if site.certain or any(k.arg in known for k in site.call.keywords):
                raise Refusal(f"a call of {self.op.symbol} does not give the new required field.", (site.place,))
        for one in calls.references(self.work, self.op.node, str(self.op.method)):
            if one.certain or any(callers.speaks_of(one, name) for name in known):
                raise Refusal(f"{self.op.symbol} is handed on here, without the new required field.", (one.place,))

    def _literal(self, site: calls.CallSite) -> bool:
        """Whether the payload of a call by name is written out, so that what is not in it is not given."""
        given = [*site.call.args[site.shift :], *(k.value for k in site.call.keywords if k.arg in (None, "payload"))]
        tracer, trace = Tracer(callers.enclosing(site.source, site.call)), Trace()
        for value in given:
            tracer.make(value, [self.name], trace)
        return not trace.unknown

    # ---- consumers that declare nothing of their own

    def _handled(self) -> list[tuple[Source, Trace]]:
        """What the handlers of the topic do with the field. A handler with a contract of its own answers for itself."""
        found = []
        for source, _, function, node in calls.handlers(self.work, str(self.op.topic)):
            declared = self.work.agents[node].method(function.name)
            if declared is not None and declared.input_schema is not None:
                continue
            sig, trace = signature.read(source, function, []), Trace()
            tracer = Tracer(function)
            for param in sig.params:
                if sig.style is Style.PARAMETERS and len(sig.params) > 1 and param.arg in ("topic", "_topic"):
                    continue
                tracer.hold(param.arg, self.path, trace, event=True)
            found.append((source, trace))
        return found

    def _results(self, record: Record) -> list[tuple[calls.CallSite, Trace]]:
        """What callers in the project do with the field of the result. Refusal where a result is not followed."""
        found = []
        attributes = isinstance(record.node, ast.ClassDef) and record.flavour != "typeddict"
        for site in calls.of_method(self.work, self.op.node, str(self.op.method)):
            trace = callers.result(site, self.path)
            if site.certain:
                rest = [*trace.unknown, *callers.handed_on(self.work, site, self.op.node, trace)]
                if attributes:  # `result.title` is looked at as an attribute
                    rest = [n for n in rest if not isinstance(parents(site.source).get(id(n)), ast.Attribute)]
                self._certain(site.source, Trace(unknown=rest))
            found.append((site, trace))
        return found


def _told(up: dict[int, ast.AST], node: ast.AST) -> bool:
    """Whether a whole payload goes to people only: an f-string, a logger."""
    parent = up.get(id(node))
    return isinstance(parent, ast.FormattedValue) or (
        isinstance(parent, ast.Call) and word(parent.func) in callers.NOTED and isinstance(parent.func, ast.Attribute)
    )
