"""Where a value comes from and where it goes: from what one component gives back to what another takes.

A flow names both ends by component, method and field, and the line that shows it. `exact`: the value arrives as it
left; otherwise something was made of it on the way (`int(r["n"])`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from graphbus_core.analysis.callers import Callers, CallSite, Target, bind_arguments, read_called_word
from graphbus_core.analysis.expressions import COPYING, look_up_item
from graphbus_core.analysis.flow_types import ELSEWHERE, NOTHING, End, Flow, Origin, go_below
from graphbus_core.analysis.index import FunctionRef, Index, Instance
from graphbus_core.analysis.objects import ObjectResolver
from graphbus_core.analysis.values import (
    Attr,
    Call,
    CallResult,
    CollectionValue,
    ComputedValue,
    Const,
    ContextValue,
    Element,
    Function,
    Global,
    Item,
    MutatedValue,
    Param,
    Record,
    SliceValue,
    TupleValue,
    Value,
    Values,
)

# Ways through names and calls may be endless. Twenty-four steps are further than a person follows one.
MAX_STEPS = 24
MAX_ORIGINS = 24
MAX_INLINED = 400  # functions gone into for one call: each way through is followed, and ways multiply
MAX_NESTED = 5  # dicts in dicts that one call is given
MADE_OF = frozenset(("lower", "upper", "strip", "title", "format", "join", "split", "replace", "encode", "decode"))


Frame = dict[tuple[str, str], tuple[str, Call, int, "Frame"]]  # of functions gone into: file, call, shift, outer frame
Components = Callable[[FunctionRef], "tuple[str, str] | None"]
# What was found, what was read for it, and what it was asked of: kept, so that no other object gets its identity.
_Answer = tuple[tuple[Origin, ...], "frozenset[str] | None", Value, Frame]
CodeOf = Callable[["tuple[str, str]"], "FunctionRef | bool"]


class Flows:
    """Traces values. `component(code)` says which component's method a function is, or None for one of nobody."""

    def __init__(
        self, index: Index, objects: ObjectResolver, callers: Callers, component: Components, code_of: CodeOf
    ) -> None:
        self.index, self.objects, self.callers, self.component = index, objects, callers, component
        self._code_of = code_of  # the function behind a component's method; True where source does not tell which
        self._left = MAX_INLINED
        self._kept: dict[tuple[int, str, int], _Answer] = {}
        self._asked: dict[tuple[int, str, int], _Answer] = {}  # in functions gone into: while one call is followed

    @property
    def is_cut_short(self) -> bool:
        """Whether the last call that was followed has more ways through it than are gone."""
        return self._left <= 0

    def _begin(self) -> None:
        self._left = MAX_INLINED
        self._asked.clear()

    # ---- calls of components

    def find_reached_ends(self, site: CallSite) -> list[tuple[End, Function | None, int]]:
        """The components' methods that a call reaches, each with its function and its shift."""
        ends: list[tuple[End, Function | None, int]] = []
        for target in self.callers.find_targets(site)[0]:
            if (end := self.find_end(target)) is not None:
                ends.append((end, self._find_function(target, end), target.shift))
        return ends

    def find_end(self, target: Target) -> End | None:
        """The method of a component that a target is."""
        if target.named is not None:
            return End(*target.named) if self._code_of(target.named) else None
        component_method = self.component(target.code) if target.code is not None else None
        return End(*component_method) if component_method else None

    def _find_function(self, target: Target, end: End) -> Function | None:
        if target.code is not None:
            return self.index.find_function(target.code)
        code = self._code_of((end.component, end.method))
        return self.index.find_function(code) if isinstance(code, FunctionRef) else None

    def trace_into(self, site: CallSite, end: End, function: Function | None, shift: int) -> Iterator[Flow]:
        """What flows into a component through one call."""
        call = site.call
        self._begin()
        into = _InputTracer(self, site, replace(end, side="input"))
        arguments = bind_arguments(function, call, shift) if function is not None else dict(call.keywords)
        for name, values in arguments.items():
            if function is None and name == "payload":
                into.trace_mapping(site.path, values, {}, 0)
            else:
                into.beside[name] = None
                into.trace_value(site.path, values, (name,), {}, 0)
        # A call by name in text carries one payload, whose keys are the fields.
        if shift and not arguments and len(call.args) > shift and self._is_named(site):
            into.trace_mapping(site.path, call.args[shift], {}, 0)
        for values in call.spreads:
            into.trace_mapping(site.path, values, {}, 0)
        if call.starred:
            into.beside["*"] = None
        beside = tuple(into.beside)
        for flow in into.list_flows():
            completed = replace(flow, beside=beside) if flow.whole and not flow.target_keys else flow
            # Not every way was followed: one of the others may make something of the value.
            # Otherwise a call with too many ways would look like a proof.
            yield replace(completed, exact=False) if self.is_cut_short else completed

    def _is_named(self, site: CallSite) -> bool:
        return any(t.named for t in self.callers.find_targets(site)[0])

    def trace_out_of(self, code: FunctionRef, end: End) -> Iterator[Flow]:
        """What a component's method hands through: from what it takes, or gets from others, to what it gives back."""
        function = self.index.find_function(code)
        if function is None:
            return
        self._begin()
        place = f"{code.path}:{function.line}"
        for value in function.returns:
            if isinstance(value, Record):
                for key, inner in value.fields.items():
                    for origin in self.find_origins(code.path, inner):
                        yield Flow(origin.end, origin.keys, end, (key,), place, origin.exact and not self.is_cut_short)

    # ---- where values come from

    def find_origins(self, path: str, values: Values, frame: Frame | None = None, depth: int = 0) -> tuple[Origin, ...]:
        """The ends that values were born at; empty where they were made here, or nobody can tell."""
        return tuple(o for o in self.find_all_origins(path, values, frame, depth) if o.end != ELSEWHERE.end)

    def find_all_origins(
        self, path: str, values: Values, frame: Frame | None = None, depth: int = 0
    ) -> tuple[Origin, ...]:
        """The same, with `ELSEWHERE` for every way that leads to no end."""
        results: dict[Origin, None] = {}
        for value in values:
            for origin in self._find_value_origins(path, value, frame or {}, depth):
                results[origin] = None
                if len(results) >= MAX_ORIGINS:
                    return tuple(results)
        return tuple(results)

    def _find_value_origins(self, path: str, value: Value, frame: Frame, depth: int) -> tuple[Origin, ...]:
        if depth > MAX_STEPS:
            self.index.facts.reads.add_reads(None)
            return (ELSEWHERE,)
        # In a function gone into as well: a value made of parts that share parts has ways without end through it.
        key, reads = (id(value), path, id(frame) if frame else 0), self.index.facts.reads
        cached = self._kept.get(key) or self._asked.get(key)
        if cached is not None:
            reads.add_reads(cached[1])
            return cached[0]
        # Asked about while it is being answered: it has no origin but itself.
        cache = self._asked if frame else self._kept
        cache[key] = (), None, value, frame  # a value that is made of itself
        reads.begin()
        results = tuple(self._trace_value(path, value, frame, depth + 1)) or (ELSEWHERE,)
        if self.is_cut_short:  # a part of the answer; whoever asks next has steps of its own
            cache.pop(key, None)
            cache = self._asked
        cache[key] = results, reads.end(), value, frame
        return results

    def _trace_value(self, path: str, value: Value, frame: Frame, depth: int) -> Iterator[Origin]:
        match value:
            case CallResult(call=number):
                yield from self._trace_call(CallSite(path, number, self.index.facts[path].calls[number]), frame, depth)
            case Item(call=number) if number >= 0 and self._find_targets(path, number):
                yield from self._trace_call(CallSite(path, number, self.index.facts[path].calls[number]), frame, depth)
            case Item(of=of, key=key, soft=soft, call=number):
                for origin in self._trace_below(path, of, str(key), frame, depth):
                    yield replace(origin, soft=True) if soft and origin.end != ELSEWHERE.end else origin
                if soft and number >= 0 and not _is_none(self.index.facts[path].calls[number].args[1:]):
                    yield ELSEWHERE  # its default
            case Const(value=None):
                yield NOTHING
            case Element(of=of):
                yield from self._trace_below(path, of, "[]", frame, depth)
            case Attr(of=of, name=name):
                yield from self._trace_attribute(path, of, name, frame, depth)
            case Param(function=function, name=name):
                yield from self._trace_parameter(path, function, name, frame, depth)
            case Global(name=name):
                resolved = self.index.look_up(path, name)
                if isinstance(resolved, tuple):
                    yield from self.find_all_origins(resolved[0], resolved[1], None, depth)
            case _:
                yield from self._trace_parts(path, value, frame, depth)

    def _trace_parts(self, path: str, value: Value, frame: Frame, depth: int) -> Iterator[Origin]:
        """What was made here of other values: the parts' origins, none of which arrives as it left."""
        match value:
            case MutatedValue(of=of) if not self.is_changed(path, value):
                yield from self.find_all_origins(path, of, frame, depth)
            case MutatedValue(of=of) | ComputedValue(of=of) | ContextValue(of=of) | SliceValue(of=of):
                yield from self._trace_inexact(path, of, frame, depth)
            case TupleValue(elements=elements):
                for inner in elements:
                    yield from self._trace_inexact(path, inner, frame, depth)
            case CollectionValue(elements=elements):
                yield from self._trace_inexact(path, elements, frame, depth)
            case Record(fields=fields, spreads=spreads):
                for inner in (*fields.values(), *spreads):
                    yield from self._trace_inexact(path, inner, frame, depth)

    def is_changed(self, path: str, value: MutatedValue) -> bool:
        """Whether something is stored in it: at once, or by a function that stores in what it is given."""
        if value.call < 0:
            # Stored in directly. Whatever was in it before, it is another value now.
            return True
        call = self.index.facts[path].calls[value.call]
        for target in self._find_targets(path, value.call):
            function = self.index.find_function(target.code) if target.code is not None else None
            if function is None:
                continue
            arguments = bind_arguments(function, call, target.shift)
            # By identity: the very value that was given is the one the function changes.
            if any(v is w for name in function.changes for v in arguments.get(name, ()) for w in value.of):
                return True
        return False

    def _trace_inexact(self, path: str, values: Values, frame: Frame, depth: int) -> Iterator[Origin]:
        for origin in self.find_all_origins(path, values, frame, depth):
            yield replace(origin, exact=False) if origin.end != ELSEWHERE.end else ELSEWHERE

    def _trace_below(self, path: str, values: Values, key: str, frame: Frame, depth: int) -> Iterator[Origin]:
        for value in values:
            match value:
                case Record():
                    yield from self._trace_below_record(path, value, key, frame, depth)
                case MutatedValue(of=inside) if not self.is_changed(path, value):
                    yield from self._trace_below(path, inside, key, frame, depth)
                case SliceValue(of=inside):
                    yield from self._trace_below(path, inside, key, frame, depth)
                case CallResult() if (made_by := self.inline_call(path, value, frame, depth)) is not None:
                    for where, returned, within in made_by:
                        yield from self._trace_below(where, returned, key, within, depth + 1)
                case CollectionValue() | TupleValue() | Element() if (inner := _list_below(value, key)) is not None:
                    yield from self.find_all_origins(path, inner, frame, depth)
                case _:
                    yield from go_below(self.find_all_origins(path, (value,), frame, depth), key)

    def _trace_below_record(self, path: str, record: Record, key: str, frame: Frame, depth: int) -> Iterator[Origin]:
        if key in record.fields:
            yield from self.find_all_origins(path, record.fields[key], frame, depth)
        elif key == "[]":
            for inner in record.fields.values():
                yield from self.find_all_origins(path, inner, frame, depth)
        else:
            for spread in record.spreads:
                yield from self._trace_below(path, spread, key, frame, depth + 1)

    def _trace_attribute(self, path: str, values: Values, name: str, frame: Frame, depth: int) -> Iterator[Origin]:
        if len(values) == 1 and (given := self._find_made_field(path, values[0], name, plain=True)) is not None:
            yield from self.find_all_origins(path, given, frame, depth)
            return
        base = self.find_all_origins(path, values, frame, depth)
        if any(origin.end != ELSEWHERE.end for origin in base):
            yield from go_below(base, name)
            return
        for value in values:
            if (given := self._find_made_field(path, value, name)) is not None:
                yield from self.find_all_origins(path, given, frame, depth)
                return
        for kind in self.objects.resolve(path, values):
            if isinstance(kind, Instance):
                for where, cls in self.index.iter_classes(kind.path, kind.name):
                    if name in cls.stored:
                        yield from self.find_all_origins(where, cls.stored[name], None, depth)

    def _find_made_field(self, path: str, value: Value, name: str, plain: bool = False) -> Values | None:
        """`Order(sku=s).sku`: a record by another name. `plain`: only of a class of the project that has no code."""
        if not isinstance(value, CallResult):
            return None
        call = self.index.facts[path].calls[value.call]
        if plain:
            classes = [t.cls for t in self._find_targets(path, value.call) if t.cls is not None]
            facts = [self.index.find_class(cls.path, cls.name) for cls in classes]
            if len(facts) != 1 or facts[0] is None or facts[0].methods or name not in facts[0].hints:
                return None
        return call.keywords.get(name)

    def _trace_parameter(self, path: str, function: str, name: str, frame: Frame, depth: int) -> Iterator[Origin]:
        callee = self.index.facts[path].functions.get(function)
        if callee is None:
            return
        inside = frame.get((path, function))
        if inside is not None:
            where, call, shift, outer = inside
            values = bind_arguments(callee, call, shift).get(name, ())
            if not values:
                for spread in call.spreads:
                    yield from self._trace_below(where, spread, name, outer, depth)
            # Inside a function that was gone into, its parameter is what this call gave, not what all calls may give.
            yield from self.find_all_origins(where, values, outer, depth)
            return
        on = Instance(path, callee.cls) if callee.cls else None
        component_method = self.component(FunctionRef(path, function, on))
        if component_method is not None:
            yield Origin(End(*component_method, side="input"), (name,))
            return
        if (fixture := self.index.find_fixture(path, function, name)) is not None:
            made_by = self.index.facts[fixture.path].functions[fixture.name]
            yield from self.find_all_origins(fixture.path, made_by.yields or made_by.returns, None, depth)
            return
        for where, values in self.callers.find_given_values(path, function, name):
            yield from self.find_all_origins(where, values, None, depth + 4)
        if any(p.name == name and p.default for p in callee.parameters):
            yield ELSEWHERE

    def _trace_call(self, site: CallSite, frame: Frame, depth: int) -> Iterator[Origin]:
        reached = self.find_reached_ends(site)
        for end, _, _ in reached:
            yield Origin(end)
        if reached:
            return
        # A component's result ends the way: what is behind it is that component's own matter.
        inner = self.inline_call(site.path, CallResult(site.call.line, site.number), frame, depth)
        if inner is not None:
            for where, returned, within in inner:
                yield from self.find_all_origins(where, returned, within, depth)
            return
        receivers = [f.of for f in site.call.function if isinstance(f, Attr)]
        if any(read_called_word(f) in COPYING for f in site.call.function):
            for values in receivers:
                yield from self.find_all_origins(site.path, values, frame, depth)
            return
        if any(read_called_word(f) in MADE_OF for f in site.call.function) or not receivers:
            receivers += [*site.call.args, *site.call.keywords.values(), *site.call.spreads]
        for values in receivers:
            if not all(isinstance(v, Const) for v in values):
                yield from self._trace_inexact(site.path, values, frame, depth)

    def _find_targets(self, path: str, number: int) -> tuple[Target, ...]:
        return self.callers.find_targets(CallSite(path, number, self.index.facts[path].calls[number]))[0]

    def inline_call(
        self, path: str, value: CallResult, frame: Frame, depth: int
    ) -> list[tuple[str, Values, Frame]] | None:
        """What a function of the project that is not a component's gives back, with its parameters bound; else None."""
        call = self.index.facts[path].calls[value.call]
        targets = self.callers.find_targets(CallSite(path, value.call, call))[0]
        returned: list[tuple[str, Values, Frame]] = []
        for target in targets:
            if target.cls is not None and len(targets) == 1:  # a record made by its class
                return [(path, (Record(call.line, dict(call.keywords), call.spreads),), frame)]
            code = target.code
            # Recursion, a component, or too deep: not gone into. The call's own origin stands for it.
            if (
                code is None
                or self.find_end(target) is not None
                or (code.path, code.name) in frame
                or depth > MAX_STEPS
            ):
                return None
            function = self.index.find_function(code)
            results = (function.returns or _collect_yields(function)) if function is not None else ()
            if function is None or not results or function.is_wrapped:
                return None
            self._left -= 1
            if self._left <= 0:
                self.index.facts.reads.add_reads(None)
                return None
            within: Frame = {**frame, (code.path, code.name): (path, call, target.shift, frame)}
            returned.append((code.path, results, within))
        return returned or None


def _list_below(value: CollectionValue | TupleValue | Element, key: str) -> Values | None:
    """What lies under a key of what was built here; None where it was not."""
    match value:
        case CollectionValue(elements=elements):
            return elements
        case TupleValue(elements=elements) if key == "[]":
            return tuple(inner for values in elements for inner in values)
        case TupleValue(elements=elements) if key.isdigit() and int(key) < len(elements):
            return elements[int(key)]
        case Element(line=line, of=(CollectionValue(elements=elements),)):
            return look_up_item(elements, int(key) if key.isdigit() else key, line)
    return None


def _collect_yields(function: Function) -> Values:
    """What a generator gives, one after the other."""
    return (CollectionValue(function.line, function.yields),) if function.yields else ()


def _is_none(defaults: tuple[Values, ...]) -> bool:
    """Whether no default is given, or None."""
    return all(isinstance(value, Const) and value.value is None for values in defaults for value in values)


class _InputTracer:
    """What one call gives to a component's method: each value followed to where it was born."""

    def __init__(self, flows: Flows, site: CallSite, target_end: End) -> None:
        self._all, self._site, self._taken = flows, site, target_end
        self.flows: list[Flow] = []
        self.beside: dict[str, None] = {}  # the fields that are given one by one
        self._elsewhere: set[tuple[str, ...]] = set()  # keys that something else may be given to

    def list_flows(self) -> Iterator[Flow]:
        """The flows, each told whether it is the only one into its target."""
        sources: dict[tuple[str, ...], set[tuple[End, tuple[str, ...]]]] = {}
        for flow in self.flows:
            sources.setdefault(flow.target_keys, set()).add((flow.source, flow.source_keys))
        for flow in self.flows:
            ways = [flow.target_keys[:length] for length in range(1, len(flow.target_keys) + 1)] or [()]
            others = sum(len(sources.get(way, ())) for way in ways)
            yield replace(flow, sole=others == 1 and not {(), *ways} & self._elsewhere)

    def trace_value(self, path: str, values: Values, keys: tuple[str, ...], frame: Frame, depth: int) -> None:
        """Values that go to one field."""
        for where, value, within, level in self._unwrap(path, values, frame, depth):
            if isinstance(value, Record) and level < MAX_NESTED:
                for key, some in value.fields.items():
                    self.trace_value(where, some, (*keys, key), within, level + 1)
                for spread in value.spreads:
                    self._add(where, spread, keys, within, True)
                if value.open:
                    self._elsewhere.add(keys)
            elif isinstance(value, CollectionValue) and level < MAX_NESTED:
                self.trace_value(where, value.elements, (*keys, "[]"), within, level + 1)
            else:
                self._add(where, (value,), keys, within, False)

    def trace_mapping(self, path: str, values: Values, frame: Frame, depth: int) -> None:
        """A mapping whose keys are the fields."""
        for where, value, within, level in self._unwrap(path, values, frame, depth):
            if isinstance(value, Record) and level < MAX_NESTED:
                for key, some in value.fields.items():
                    self.beside[key] = None
                    self.trace_value(where, some, (key,), within, level + 1)
                for spread in value.spreads:
                    self.trace_mapping(where, spread, within, level + 1)
                if value.open:
                    self.beside["*"] = None
                    self._elsewhere.add(())
            else:
                self._add(where, (value,), (), within, True)

    def _unwrap(self, path: str, values: Values, frame: Frame, depth: int) -> Iterator[tuple[str, Value, Frame, int]]:
        """The values themselves: what was not changed on the way, what functions of the project give back."""
        for value in values:
            if isinstance(value, SliceValue | MutatedValue) and (
                any(isinstance(v, CollectionValue) for v in value.of)
                if isinstance(value, SliceValue)
                else not self._all.is_changed(path, value)
            ):
                yield from self._unwrap(path, value.of, frame, depth)
                continue
            inner = self._all.inline_call(path, value, frame, depth) if isinstance(value, CallResult) else None
            if inner is None or depth >= MAX_NESTED:
                yield path, value, frame, depth
            else:
                for where, returned, within in inner:
                    yield from self._unwrap(where, returned, within, depth + 1)

    def _add(self, path: str, values: Values, keys: tuple[str, ...], frame: Frame, whole: bool) -> None:
        origins = self._all.find_all_origins(path, values, frame)
        known = [origin for origin in origins if origin.end != ELSEWHERE.end]
        if len(known) < len(origins):
            self._elsewhere.add(keys)
        if not known and whole and not keys:
            self.beside["*"] = None
        for origin in known:
            flow = Flow(origin.end, origin.keys, self._taken, keys, self._site.place, origin.exact, whole)
            call = self._site.call
            flow = replace(flow, soft=origin.soft, guarded=call.guarded, caught=call.caught)
            self.flows.append(flow)
