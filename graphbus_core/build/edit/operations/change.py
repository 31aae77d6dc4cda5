"""Where one field stands in code: parameters, what is read of a payload, what is made, who receives it.

The operations ask here and edit there. Nothing is edited here; what cannot be followed is a Refusal with its lines.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit import signature
from graphbus_core.build.edit.followed import callers, calls, code_in_text
from graphbus_core.build.edit.followed.receivers import parents
from graphbus_core.build.edit.followed.shapes import ContractUses
from graphbus_core.build.edit.records import RecordDefinition, having, segments
from graphbus_core.build.edit.signature import Signature, Style
from graphbus_core.build.edit.text.edit_plan import EditPlan
from graphbus_core.build.edit.text.source import Source
from graphbus_core.build.edit.text.worktree import functions
from graphbus_core.build.edit.type_text import peel
from graphbus_core.build.understand.keys import Trace, Tracer
from graphbus_core.build.understand.keys.scope import Function
from graphbus_core.model.operation import (
    AddField,
    FieldOperation,
    Operation,
    RenameField,
    RetypeField,
    SetOptional,
)


class FieldChange:
    """The field that one operation is about, in the sources as they are under the plan.

    `path` is the field's path in its contract, `name` its last segment.
    """

    def __init__(self, plan: EditPlan, op: FieldOperation, diff: Sequence[Operation]) -> None:
        self.plan, self.op, self.diff, self.work = plan, op, diff, plan.workspace
        self.path = segments(op.field)
        self.name = self.path[-1] if self.path else ""
        if not self.path or self.name == "[]" or self.path[0] == "[]":
            raise Refusal(f"{op.field!r} is not a field; write a name, `item.price` or `lines[].price`.")

    def declared(self, record: RecordDefinition) -> tuple[RecordDefinition, str]:
        """The record that writes the field itself, and its type there as it is written."""
        holder, (_, value) = having(self.work, record, self.name)
        return holder, holder.source.text(peel(value)[0]) if value is not None else "Any"

    def signature(self) -> Signature:
        """The parameters of the operation's method."""
        assert self.op.method is not None
        source, owner, function = self.work.method(self.op.node, self.op.method)
        stubs = [f for f in functions(owner) if f.name == self.op.method and f is not function]
        if stubs and not isinstance(self.op, RetypeField | SetOptional):
            raise Refusal(
                f"{self.op.symbol} is written more than once (@overload?), and all of it would have to change.",
                source.places(*stubs),
            )
        return signature.read(source, function, self.fields())

    def fields(self) -> list[str]:
        """The fields that the method takes, with those that the same diff adds: they are parameters by then."""
        agent = self.work.agents.get(self.op.node)
        declared = agent.method(self.op.method) if agent and self.op.method else None
        schema = declared.input_schema if declared else None
        known = list(schema.fields) if schema else []
        added = [o for o in self.diff if isinstance(o, AddField | RenameField) and o.symbol == self.op.symbol]
        return known + [o.field if isinstance(o, AddField) else o.to for o in added if o.side == "input"]

    def input_trace(self) -> tuple[Signature, Trace, ast.arg | None]:
        """Where a method's body reads the field, unless it is a parameter of its own (the third)."""
        sig, trace = self.signature(), Trace()
        first = sig.parameter(self.path[0])
        if first is not None and len(self.path) == 1:
            return sig, trace, first
        tracer = Tracer(sig.function)
        if first is not None:
            tracer.holds.hold(first.arg, self.path[1:], trace)
        elif sig.mapping is not None:
            tracer.holds.hold(sig.mapping, self.path, trace, event=sig.style is Style.PAYLOAD)
        tracer.finish(trace)
        return sig, trace, None

    def makers(self, record: RecordDefinition | None) -> list[tuple[Source, Function, list[ast.expr], Trace]]:
        """Where the code makes the object that holds the field: returned, or published to the topic."""
        if self.op.side == "output":
            assert self.op.method is not None
            source, _, function = self.work.method(self.op.node, self.op.method)
            values = [r.value for r in Tracer(function).returns() if r.value is not None]
            return [(source, function, values, self._made(record, function, values))]
        assert self.op.topic is not None
        published, unknown = calls.of_topic(self.work, self.op.node, self.op.topic)
        if unknown:
            raise Refusal("it cannot be told which topic is published to here.", tuple(unknown))
        given = [(one, [one.payload] if one.payload is not None else []) for one in published]
        return [(one.source, one.function, some, self._made(record, one.function, some)) for one, some in given]

    def _made(self, record: RecordDefinition | None, function: Function, values: Sequence[ast.expr]) -> Trace:
        """What makes these values, and what becomes of them in the function."""
        named = record.node.name if record is not None and isinstance(record.node, ast.ClassDef) else None
        tracer, trace = Tracer(function, named), Trace()
        if self.op.side == "output":
            trace.unknown += tracer.yields()
        for value in values:
            tracer.make(value, self.path, trace)
        tracer.finish(trace)
        self._companions(tracer, trace)
        return trace

    def _companions(self, tracer: Tracer, trace: Trace) -> None:
        """An object that is both published and returned may be changed where the diff changes both contracts."""

        # One dict literal may be two contracts' object. A change for one of them alone would break the other.
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

    def uses(self, record: RecordDefinition) -> ContractUses:
        """Where the class that is the contract is used as a class: constructors, attributes."""
        return ContractUses(self.work, record, self.name, self.op.method or "")

    def made(self, record: RecordDefinition) -> set[int]:
        """The constructor calls, and their keywords, by which the operation's own code makes the object."""
        if self.op.side == "input":
            return set()
        traces = [trace for _, _, _, trace in self.makers(record)]
        return {id(n) for trace in traces for n in [*trace.literals, *trace.keywords]}

    def handled(self) -> list[tuple[Source, Trace]]:
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
                tracer.holds.hold(param.arg, self.path, trace, event=True)
            found.append((source, trace))
        return found

    def results(self, record: RecordDefinition) -> list[tuple[calls.CallSite, Trace]]:
        """What callers in the project do with the field of the result. Refusal where a result is not followed."""
        found = []
        attributes = isinstance(record.node, ast.ClassDef) and record.flavour != "typeddict"
        for site in calls.of_method(self.work, self.op.node, str(self.op.method)):
            trace = callers.result(site, self.path)
            if site.certain:
                rest = [*trace.unknown, *callers.handed_on(self.work, site, self.op.node, trace)]
                if attributes:  # `result.title` is looked at as an attribute
                    rest = [n for n in rest if not isinstance(parents(site.source).get(id(n)), ast.Attribute)]
                self.refuse_doubt(site.source, Trace(unknown=rest))
            found.append((site, trace))
        return found

    def refuse_doubt(self, source: Source, trace: Trace) -> None:
        """Refusal where the object is handed to code that is not followed."""
        if trace.doubtful:
            raise Refusal(f"{self.op.address} cannot be followed with certainty here.", source.places(*trace.doubtful))

    def refuse_used(self, source: Source, nodes: Sequence[ast.AST]) -> None:
        """Refusal where anything still reads the field."""
        if nodes:
            raise Refusal(f"{self.op.address} is still used; replace_body first.", source.places(*nodes))

    def refuse_text(self) -> None:
        """Code in text (`exec("a.go(n=1)")`, an example in a docstring) that means the field is not followed."""
        if self.op.method is None:
            return
        if places := code_in_text.speaking(self.work, self.op.method, self.name):
            raise Refusal(f"code in text speaks of {self.op.symbol} and {self.name!r}.", tuple(places))

    def refuse_references(self) -> None:
        """A method that is handed on (`partial(a.go, n=1)`) is called by code that is not followed."""
        own = {id(node) for node in ast.walk(self.work.method(self.op.node, str(self.op.method))[2])}
        node, method = self.op.node, str(self.op.method)
        patched = [one for one in calls.in_text(self.work, node, method) if callers.is_patched(one)]
        for one in [*calls.references(self.work, node, method), *patched]:
            if callers.speaks_of(self.work, one, self.name, own):
                raise Refusal(
                    f"{self.op.symbol} is handed on here, to code that may give or read {self.name!r}.", (one.place,)
                )
