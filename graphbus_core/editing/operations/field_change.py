"""Where one field stands in code: parameters, what is read of a payload, what is made, who receives it.

The operations ask here and edit there. Nothing is edited here; what cannot be followed is a Refusal with its lines.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NoReturn

from graphbus_core.analysis.keys import KeyTrace, KeyTracer
from graphbus_core.analysis.scopes import FUNCTIONS, Function
from graphbus_core.editing import call_sites, signature
from graphbus_core.editing.contract_records import RecordDefinition, find_field, split_path
from graphbus_core.editing.edit_plan import EditPlan, unwrap_type
from graphbus_core.editing.receivers import Ownership, ReceiverJudge, iter_ancestors, map_parents
from graphbus_core.editing.signature import ParameterStyle, Signature
from graphbus_core.editing.source import Source
from graphbus_core.editing.worktree import Worktree, list_methods
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.model.operation import (
    AddField,
    FieldOperation,
    Operation,
    RenameField,
    RetypeField,
    SetOptional,
)
from graphbus_core.syntax import last_name

# Code that uses a contract itself: objects of a class that is one, and constants that are read when the code runs.
#
# Says what names a field there with certainty, and refuses what may. Knows nothing of operations.


_COPYING = frozenset({"replace", "evolve", "model_copy", "copy", "model_construct", "construct"})
_BY_TEXT = frozenset(
    """getattr setattr hasattr delattr attrgetter field_validator validator field_serializer model_validator""".split()  # noqa: SIM905
)
_AS_MAPPING = frozenset({"asdict", "vars", "model_dump", "fields", "model_fields", "dict", "__dict__"})


@dataclass(frozen=True)
class ContractUses:
    """Uses of the field `name` of a contract that `method` has."""

    work: Worktree
    record: RecordDefinition
    name: str
    method: str

    def find_class_uses(self) -> list[tuple[Source, ast.AST]]:
        """Keywords of a contract class's constructor and attributes of its objects that name the field.

        Refusal where that cannot be told, and where the field is named in a way that is not followed.
        """
        cls = self.record.node
        assert isinstance(cls, ast.ClassDef)
        uses: list[tuple[Source, ast.AST]] = []
        judge = ReceiverJudge(self.work, "", "", (self.record.source, cls))
        for source in call_sites.iter_sources(self.work):
            near = cls.name.encode() in source.data
            if self.name.encode() not in source.data or not (near or self.method.encode() in source.data):
                continue
            for node in ast.walk(source.tree):
                if isinstance(node, ast.Call):
                    uses += [(source, k) for k in self._find_given_keywords(cls, source, node, near)]
                elif self.record.flavour != "typeddict" and self._is_field_read(cls, source, node, near, judge):
                    uses.append((source, node))
        return uses

    def _find_given_keywords(self, cls: ast.ClassDef, source: Source, call: ast.Call, near: bool) -> list[ast.keyword]:
        """The keywords of a constructor's call that give the field. Refusal for a `**` and for what copies objects."""
        definition = self.work.resolve_definition(source, call.func)
        matching = [k for k in call.keywords if k.arg == self.name]
        if definition and definition[1] is cls:
            if any(k.arg is None for k in call.keywords):
                self._refuse_untraceable(cls, source, call)
            return matching
        is_heir = (
            definition is not None
            and isinstance(definition[1], ast.ClassDef)
            and cls.name in map(last_name, definition[1].bases)
        )
        if near and (
            (matching and (is_heir or last_name(call.func) in _COPYING))
            or (definition is None and last_name(call.func) == cls.name and "*" in _list_imported_names(source))
        ):
            self._refuse_untraceable(cls, source, call)
        return []

    def _is_field_read(
        self, cls: ast.ClassDef, source: Source, node: ast.AST, near: bool, judge: ReceiverJudge
    ) -> bool:
        """Whether an attribute is the field of one of its objects. Refusal where nobody can tell, and for text."""
        match node:
            case ast.Attribute(value=value, attr=attr) if attr == self.name:
                kind = judge.judge_receiver(source, value)
                if kind is Ownership.UNKNOWN and near:
                    self._refuse_untraceable(cls, source, node)
                return kind is Ownership.OURS
            case ast.Constant(value=value) if value == self.name and self._is_named_by_text(source, node):
                if not near and f".{self.method}(".encode() not in source.data:
                    return False
                self._refuse_untraceable(cls, source, node)
            case ast.MatchClass(kwd_attrs=names) if self.name in names:
                self._refuse_untraceable(cls, source, node)
        return False

    def _is_named_by_text(self, source: Source, node: ast.Constant) -> bool:
        """Whether text names a field: `getattr(o, "x")`, `asdict(o)["x"]`, `o.model_copy(update={"x": 1})`."""
        parent = map_parents(source).get(id(node))
        if isinstance(parent, ast.Call) and last_name(parent.func) in _BY_TEXT:
            return True
        for place in iter_ancestors(source, node):
            if isinstance(place, ast.Call) and last_name(place.func) in _COPYING:
                return True
            if isinstance(place, ast.stmt):
                break
        return isinstance(parent, ast.Subscript) and any(
            isinstance(n, ast.Call | ast.Attribute) and last_name(getattr(n, "func", n)) in _AS_MAPPING
            for n in ast.walk(parent.value)
        )

    def _refuse_untraceable(self, cls: ast.ClassDef, source: Source, node: ast.AST) -> NoReturn:
        what = f"it cannot be told whether this is {cls.name}.{self.name}, or it is not followed here."
        raise Refusal(what, source.places(node))

    def refuse_class_uses(self, allowed_ids: Collection[int]) -> None:
        """A field leaves a class: refuse attributes that read it, and constructors that give it; `made` are allowed."""
        record = self.record
        assert isinstance(record.node, ast.ClassDef)
        remaining = [(source, n) for source, n in self.find_class_uses() if id(n) not in allowed_ids]
        if remaining:
            lines = tuple(f"{source.path}:{getattr(n, 'lineno', record.node.lineno)}" for source, n in remaining)
            raise Refusal(f"{record.node.name}.{self.name} is still used; replace_body first.", lines)
        order = list(record.collect_fields())
        self.refuse_constructors(lambda call: len(call.args) > order.index(self.name))

    def refuse_constructors(self, wrong: Callable[[ast.Call], bool]) -> None:
        """Refuse calls of a contract class that would give other fields than they mean, or too few."""
        record = self.record
        for source in call_sites.iter_sources(self.work):
            for node in ast.walk(source.tree):
                if isinstance(node, ast.Call) and last_name(node.func) == getattr(record.node, "name", None):
                    definition = self.work.resolve_definition(source, node.func)
                    if definition and definition[1] is record.node and wrong(node):
                        raise Refusal(
                            f"{last_name(node.func)} is made here without what the change asks for.",
                            source.places(node),
                        )

    def refuse_runtime_uses(self) -> None:
        """A named contract that code reads when it runs (`OUT[key]`) is not followed there."""
        record = self.record
        if not isinstance(record.node, ast.Dict):
            return
        up = map_parents(record.source)
        holder = up.get(id(record.node))
        if not isinstance(holder, ast.Assign | ast.AnnAssign) or holder not in record.source.tree.body:
            return
        targets = holder.targets if isinstance(holder, ast.Assign) else [holder.target]
        names = {t.id for t in targets if isinstance(t, ast.Name)}
        for source in call_sites.iter_sources(self.work):
            if not any(n.encode() in source.data for n in names):
                continue
            for node in ast.walk(source.tree):
                if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
                    continue
                if last_name(node) not in names or _is_declaration(source, node):
                    continue
                definition = self.work.resolve_definition(source, node)
                if definition and definition[1] is record.node:
                    raise Refusal(
                        f"{last_name(node)} is read here when the code runs, and has {self.name!r}.",
                        source.places(node),
                    )


def _list_imported_names(source: Source) -> set[str]:
    return {a.name for n in source.tree.body if isinstance(n, ast.ImportFrom) for a in n.names}


def _is_declaration(source: Source, node: ast.AST) -> bool:
    """Whether a name stands in a decorator or in a statement of the file or class: where contracts are declared."""
    below = node
    for place in iter_ancestors(source, node):
        if isinstance(place, FUNCTIONS):
            return below in place.decorator_list
        below = place
    return True


class FieldChange:
    """The field that one operation is about, in the sources as they are under the plan.

    `path` is the field's path in its contract, `name` its last segment.
    """

    def __init__(self, plan: EditPlan, op: FieldOperation, diff: Sequence[Operation]) -> None:
        self.plan, self.op, self.diff, self.work = plan, op, diff, plan.workspace
        self.path = split_path(op.field)
        self.name = self.path[-1] if self.path else ""
        if not self.path or self.name == "[]" or self.path[0] == "[]":
            raise Refusal(f"{op.field!r} is not a field; write a name, `item.price` or `lines[].price`.")

    def find_declaration(self, record: RecordDefinition) -> tuple[RecordDefinition, str]:
        """The record that writes the field itself, and its type there as it is written."""
        holder, (_, value) = find_field(self.work, record, self.name)
        return holder, holder.source.text(unwrap_type(value)[0]) if value is not None else "Any"

    def read_signature(self) -> Signature:
        """The parameters of the operation's method."""
        assert self.op.method is not None
        source, owner, function = self.work.find_method(self.op.node, self.op.method)
        stubs = [f for f in list_methods(owner) if f.name == self.op.method and f is not function]
        if stubs and not isinstance(self.op, RetypeField | SetOptional):
            raise Refusal(
                f"{self.op.symbol} is written more than once (@overload?), and all of it would have to change.",
                source.places(*stubs),
            )
        return signature.read_signature(source, function, self.list_fields(), self._find_payload_parameter())

    def _find_payload_parameter(self) -> str | None:
        agent = self.work.agents.get(self.op.node)
        declared = agent.method(self.op.method) if agent and self.op.method else None
        return declared.payload_parameter if declared is not None else None

    def list_fields(self) -> list[str]:
        """The fields that the method takes, with those that the same diff adds: they are parameters by then."""
        agent = self.work.agents.get(self.op.node)
        declared = agent.method(self.op.method) if agent and self.op.method else None
        schema = declared.input_schema if declared else None
        field_names = list(schema.fields) if schema else []
        added = [o for o in self.diff if isinstance(o, AddField | RenameField) and o.symbol == self.op.symbol]
        return field_names + [o.field if isinstance(o, AddField) else o.to for o in added if o.side == "input"]

    def trace_input(self) -> tuple[Signature, KeyTrace, ast.arg | None]:
        """Where a method's body reads the field, unless it is a parameter of its own (the third)."""
        sig, trace = self.read_signature(), KeyTrace()
        first = sig.find_parameter(self.path[0])
        if first is not None and len(self.path) == 1:
            return sig, trace, first
        tracer = KeyTracer(sig.function)
        if first is not None:
            tracer.holds.follow_name(first.arg, self.path[1:], trace)
        elif sig.mapping is not None:
            tracer.holds.follow_name(sig.mapping, self.path, trace, event=sig.style is ParameterStyle.PAYLOAD)
        tracer.finish(trace)
        return sig, trace, None

    def find_makers(self, record: RecordDefinition | None) -> list[tuple[Source, Function, list[ast.expr], KeyTrace]]:
        """Where the code makes the object that holds the field: returned, or published to the topic."""
        if self.op.side == "output":
            assert self.op.method is not None
            source, _, function = self.work.find_method(self.op.node, self.op.method)
            values = [r.value for r in KeyTracer(function).list_returns() if r.value is not None]
            return [(source, function, values, self._trace_values(record, function, values))]
        assert self.op.topic is not None
        published, unknown = call_sites.find_own_publishes(self.work, self.op.node, self.op.topic)
        if unknown:
            raise Refusal("it cannot be told which topic is published to here.", tuple(unknown))
        publish_values = [(publish, [publish.payload] if publish.payload is not None else []) for publish in published]
        return [
            (publish.source, publish.function, some, self._trace_values(record, publish.function, some))
            for publish, some in publish_values
        ]

    def _trace_values(
        self, record: RecordDefinition | None, function: Function, values: Sequence[ast.expr]
    ) -> KeyTrace:
        """What makes these values, and what becomes of them in the function."""
        class_name = record.node.name if record is not None and isinstance(record.node, ast.ClassDef) else None
        tracer, trace = KeyTracer(function, class_name), KeyTrace()
        if self.op.side == "output":
            trace.unknown += tracer.list_yields()
        for value in values:
            tracer.make(value, self.path, trace)
        tracer.finish(trace)
        self._allow_companions(tracer, trace)
        return trace

    def _allow_companions(self, tracer: KeyTracer, trace: KeyTrace) -> None:
        """An object that is both published and returned may be changed where the diff changes both contracts."""

        # One dict literal may be two contracts' object. A change for one of them alone would break the other.
        def is_changed_along(node: ast.AST) -> bool:
            parent = tracer.parents.get(id(node))
            output = isinstance(parent, ast.Return)
            publish = isinstance(parent, ast.Call) and getattr(parent.func, "attr", "") in call_sites.PUBLISHING
            return any(
                type(other) is type(self.op)
                and isinstance(other, FieldOperation)
                and other.node == self.op.node
                and other.field == self.op.field
                and ((output and other.side == "output") or (publish and other.side == "payload"))
                for other in self.diff
                if other is not self.op
            )

        trace.escapes = [n for n in trace.escapes if not is_changed_along(n)]

    def build_contract_uses(self, record: RecordDefinition) -> ContractUses:
        """Where the class that is the contract is used as a class: constructors, attributes."""
        return ContractUses(self.work, record, self.name, self.op.method or "")

    def collect_constructed_ids(self, record: RecordDefinition) -> set[int]:
        """The constructor calls, and their keywords, by which the operation's own code makes the object."""
        if self.op.side == "input":
            return set()
        traces = [trace for _, _, _, trace in self.find_makers(record)]
        return {id(n) for trace in traces for n in [*trace.literals, *trace.keywords]}

    def trace_handlers(self) -> list[tuple[Source, KeyTrace]]:
        """What the handlers of the topic do with the field. A handler with a contract of its own answers for itself."""
        traces = []
        for source, _, function, node in call_sites.find_topic_handlers(self.work, str(self.op.topic)):
            declared = self.work.agents[node].method(function.name)
            if declared is not None and declared.input_schema is not None:
                continue
            sig, trace = signature.read_signature(source, function, []), KeyTrace()
            tracer = KeyTracer(function)
            for param in sig.params:
                if sig.style is ParameterStyle.PARAMETERS and len(sig.params) > 1 and param.arg in ("topic", "_topic"):
                    continue
                tracer.holds.follow_name(param.arg, self.path, trace, event=True)
            traces.append((source, trace))
        return traces

    def trace_results(self, record: RecordDefinition) -> list[tuple[call_sites.CallSite, KeyTrace]]:
        """What callers in the project do with the field of the result. Refusal where a result is not followed."""
        traces = []
        attributes = isinstance(record.node, ast.ClassDef) and record.flavour != "typeddict"
        for site in call_sites.find_method_calls(self.work, self.op.node, str(self.op.method)):
            trace = call_sites.trace_result(site, self.path)
            if site.certain:
                rest = [*trace.unknown, *call_sites.find_result_escapes(self.work, site, self.op.node, trace)]
                if attributes:  # `result.title` is looked at as an attribute
                    rest = [n for n in rest if not isinstance(map_parents(site.source).get(id(n)), ast.Attribute)]
                self.refuse_doubt(site.source, KeyTrace(unknown=rest))
            traces.append((site, trace))
        return traces

    def refuse_doubt(self, source: Source, trace: KeyTrace) -> None:
        """Refusal where the object is handed to code that is not followed."""
        if trace.doubtful:
            raise Refusal(f"{self.op.address} cannot be followed with certainty here.", source.places(*trace.doubtful))

    def refuse_used(self, source: Source, nodes: Sequence[ast.AST]) -> None:
        """Refusal where anything still reads the field."""
        if nodes:
            raise Refusal(f"{self.op.address} is still used; replace_body first.", source.places(*nodes))

    def refuse_code_in_text(self) -> None:
        """Code in text (`exec("a.go(n=1)")`, an example in a docstring) that means the field is not followed."""
        if self.op.method is None:
            return
        if places := call_sites.find_embedded_calls(self.work, self.op.method, self.name):
            raise Refusal(f"code in text speaks of {self.op.symbol} and {self.name!r}.", tuple(places))

    def refuse_references(self) -> None:
        """A method that is handed on (`partial(a.go, n=1)`) is called by code that is not followed."""
        own = {id(node) for node in ast.walk(self.work.find_method(self.op.node, str(self.op.method))[2])}
        node, method = self.op.node, str(self.op.method)
        patched = [
            reference
            for reference in call_sites.find_qualified_texts(self.work, node, method)
            if call_sites.is_patched(reference)
        ]
        for reference in [*call_sites.find_references(self.work, node, method), *patched]:
            if call_sites.may_use_field(self.work, reference, self.name, own):
                raise Refusal(
                    f"{self.op.symbol} is handed on here, to code that may give or read {self.name!r}.",
                    (reference.place,),
                )
