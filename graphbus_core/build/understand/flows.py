"""Where a value comes from and where it goes: from what one component gives back to what another takes.

A flow names both ends by component, method and field, and the line that shows it. `exact`: the value arrives as it
left; otherwise something was made of it on the way (`int(r["n"])`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from graphbus_core.build.understand.callers import Callers, Site, Target, bound, word_of
from graphbus_core.build.understand.ends import End, Flow, Origin
from graphbus_core.build.understand.index import Code, Index, Thing
from graphbus_core.build.understand.objects import Objects
from graphbus_core.build.understand.text.expressions import COPYING
from graphbus_core.build.understand.text.values import (
    Attr,
    Call,
    Called,
    Computed,
    Const,
    Element,
    Entered,
    Function,
    Global,
    Item,
    Listing,
    Param,
    Record,
    Several,
    Touched,
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
Components = Callable[[Code], "tuple[str, str] | None"]
# What was found, what was read for it, and what it was asked of: kept, so that no other object gets its identity.
_Answer = tuple[tuple[Origin, ...], "frozenset[str] | None", Value, Frame]
CodeOf = Callable[["tuple[str, str]"], "Code | bool"]


class Flows:
    """Traces values. `component(code)` says which component's method a function is, or None for one of nobody."""

    def __init__(
        self, index: Index, objects: Objects, callers: Callers, component: Components, code_of: CodeOf
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

    def reached(self, site: Site) -> list[tuple[End, Function | None, int]]:
        """The components' methods that a call reaches, each with its function and its shift."""
        found: list[tuple[End, Function | None, int]] = []
        for target in self.callers.targets(site)[0]:
            if (end := self.end_of(target)) is not None:
                found.append((end, self._function(target, end), target.shift))
        return found

    def end_of(self, target: Target) -> End | None:
        """The method of a component that a target is."""
        if target.named is not None:
            return End(*target.named) if self._code_of(target.named) else None
        named = self.component(target.code) if target.code is not None else None
        return End(*named) if named else None

    def _function(self, target: Target, end: End) -> Function | None:
        if target.code is not None:
            return self.index.function(target.code)
        code = self._code_of((end.component, end.method))
        return self.index.function(code) if isinstance(code, Code) else None

    def into(self, site: Site, end: End, function: Function | None, shift: int) -> Iterator[Flow]:
        """What flows into a component through one call."""
        call = site.call
        self._begin()
        into = _Into(self, site, replace(end, side="input"))
        given = bound(function, call, shift) if function is not None else dict(call.keywords)
        for name, values in given.items():
            if function is None and name == "payload":
                into.mapping(site.path, values, {}, 0)
            else:
                into.beside[name] = None
                into.value(site.path, values, (name,), {}, 0)
        # A call by name in text carries one payload, whose keys are the fields.
        if shift and not given and len(call.args) > shift and self._is_named(site):
            into.mapping(site.path, call.args[shift], {}, 0)
        for values in call.spreads:
            into.mapping(site.path, values, {}, 0)
        if call.starred:
            into.beside["*"] = None
        beside = tuple(into.beside)
        for flow in into.flows:
            found = replace(flow, beside=beside) if flow.whole and not flow.target_keys else flow
            # Not every way was followed: one of the others may make something of the value.
            # Otherwise a call with too many ways would look like a proof.
            yield replace(found, exact=False) if self.is_cut_short else found

    def _is_named(self, site: Site) -> bool:
        return any(t.named for t in self.callers.targets(site)[0])

    def out_of(self, code: Code, end: End) -> Iterator[Flow]:
        """What a component's method hands through: from what it takes, or gets from others, to what it gives back."""
        function = self.index.function(code)
        if function is None:
            return
        self._begin()
        place = f"{code.path}:{function.line}"
        for value in function.returns:
            if isinstance(value, Record):
                for key, inner in value.fields.items():
                    for origin in self.origins(code.path, inner):
                        yield Flow(origin.end, origin.keys, end, (key,), place, origin.exact and not self.is_cut_short)

    # ---- where values come from

    def origins(self, path: str, values: Values, frame: Frame | None = None, depth: int = 0) -> tuple[Origin, ...]:
        """The ends that values were born at; empty where they were made here, or nobody can tell."""
        found: dict[Origin, None] = {}
        for value in values:
            for origin in self._origin(path, value, frame or {}, depth):
                found[origin] = None
                if len(found) >= MAX_ORIGINS:
                    return tuple(found)
        return tuple(found)

    def _origin(self, path: str, value: Value, frame: Frame, depth: int) -> tuple[Origin, ...]:
        if depth > MAX_STEPS:
            self.index.facts.reads.rest(None)
            return ()
        # In a function gone into as well: a value made of parts that share parts has ways without end through it.
        key, reads = (id(value), path, id(frame) if frame else 0), self.index.facts.reads
        known = self._kept.get(key) or self._asked.get(key)
        if known is not None:
            reads.rest(known[1])
            return known[0]
        # Asked about while it is being answered: it has no origin but itself.
        kept = self._asked if frame else self._kept
        kept[key] = (), None, value, frame  # a value that is made of itself
        reads.begin()
        found = tuple(self._born(path, value, frame, depth + 1))
        if self.is_cut_short:  # a part of the answer; whoever asks next has steps of its own
            kept.pop(key, None)
            kept = self._asked
        kept[key] = found, reads.end(), value, frame
        return found

    def _born(self, path: str, value: Value, frame: Frame, depth: int) -> Iterator[Origin]:
        match value:
            case Called(call=number):
                yield from self._called(Site(path, number, self.index.facts[path].calls[number]), frame, depth)
            case Item(call=number) if number >= 0 and self._targets(path, number):
                yield from self._called(Site(path, number, self.index.facts[path].calls[number]), frame, depth)
            case Item(of=of, key=key, soft=soft):
                for origin in self._below(path, of, str(key), frame, depth):
                    yield replace(origin, soft=True) if soft else origin
            case Element(of=of):
                yield from self._below(path, of, "[]", frame, depth)
            case Attr(of=of, name=name):
                yield from self._attribute(path, of, name, frame, depth)
            case Param(function=function, name=name):
                yield from self._parameter(path, function, name, frame, depth)
            case Touched() | Computed() | Entered() | Several() | Listing() | Record():
                yield from self._made(path, value, frame, depth)
            case Global(name=name):
                found = self.index.look_up(path, name)
                if isinstance(found, tuple):
                    yield from self.origins(found[0], found[1], None, depth)

    def _made(self, path: str, value: Value, frame: Frame, depth: int) -> Iterator[Origin]:
        """What was made here of other values: the parts' origins, none of which arrives as it left."""
        match value:
            case Touched(of=of) if not self.is_changed(path, value):
                yield from self.origins(path, of, frame, depth)
            case Touched(of=of) | Computed(of=of) | Entered(of=of):
                yield from self._inexact(path, of, frame, depth)
            case Several(elements=elements):
                for inner in elements:
                    yield from self._inexact(path, inner, frame, depth)
            case Listing(elements=elements):
                yield from self._inexact(path, elements, frame, depth)
            case Record(fields=fields, spreads=spreads):
                for inner in (*fields.values(), *spreads):
                    yield from self._inexact(path, inner, frame, depth)

    def is_changed(self, path: str, value: Touched) -> bool:
        """Whether something is stored in it: at once, or by a function that stores in what it is given."""
        if value.call < 0:
            # Stored in directly. Whatever was in it before, it is another value now.
            return True
        call = self.index.facts[path].calls[value.call]
        for target in self._targets(path, value.call):
            function = self.index.function(target.code) if target.code is not None else None
            if function is None:
                continue
            given = bound(function, call, target.shift)
            # By identity: the very value that was given is the one the function changes.
            if any(v is w for name in function.changes for v in given.get(name, ()) for w in value.of):
                return True
        return False

    def _inexact(self, path: str, values: Values, frame: Frame, depth: int) -> Iterator[Origin]:
        for origin in self.origins(path, values, frame, depth):
            yield replace(origin, exact=False)

    def _below(self, path: str, of: Values, key: str, frame: Frame, depth: int) -> Iterator[Origin]:
        for value in of:
            match value:
                case Record(fields=fields, spreads=spreads):
                    if key in fields:
                        yield from self.origins(path, fields[key], frame, depth)
                    elif key == "[]":
                        for inner in fields.values():
                            yield from self.origins(path, inner, frame, depth)
                    else:
                        for spread in spreads:
                            yield from self._below(path, spread, key, frame, depth + 1)
                case Listing(elements=elements):
                    yield from self.origins(path, elements, frame, depth)
                case Touched(of=inside) if not self.is_changed(path, value):
                    yield from self._below(path, inside, key, frame, depth)
                case Called() if (made_by := self.inlined(path, value, frame, depth)) is not None:
                    for where, made, within in made_by:
                        yield from self._below(where, made, key, within, depth + 1)
                case _:
                    for origin in self.origins(path, (value,), frame, depth):
                        yield replace(origin, keys=(*origin.keys, key))

    def _attribute(self, path: str, of: Values, name: str, frame: Frame, depth: int) -> Iterator[Origin]:
        base = self.origins(path, of, frame, depth)
        if base:
            for origin in base:
                yield replace(origin, keys=(*origin.keys, name))
            return
        for value in of:
            if isinstance(value, Called):  # `Order(sku=s).sku`: a record by another name
                call = self.index.facts[path].calls[value.call]
                if name in call.keywords:
                    yield from self.origins(path, call.keywords[name], frame, depth)
                    return
        for kind in self.objects.of(path, of):
            if isinstance(kind, Thing):
                for where, cls in self.index.classes(kind.path, kind.name):
                    if name in cls.stored:
                        yield from self.origins(where, cls.stored[name], None, depth)

    def _parameter(self, path: str, function: str, name: str, frame: Frame, depth: int) -> Iterator[Origin]:
        at = self.index.facts[path].functions.get(function)
        if at is None:
            return
        inside = frame.get((path, function))
        if inside is not None:
            where, call, shift, outer = inside
            values = bound(at, call, shift).get(name, ())
            if not values:
                for spread in call.spreads:
                    yield from self._below(where, spread, name, outer, depth)
            # Inside a function that was gone into, its parameter is what this call gave, not what all calls may give.
            yield from self.origins(where, values, outer, depth)
            return
        on = Thing(path, at.cls) if at.cls else None
        named = self.component(Code(path, function, on))
        if named is not None:
            yield Origin(End(*named, side="input"), (name,))
            return
        for where, values in self.callers.given(path, function, name):
            yield from self.origins(where, values, None, depth + 4)

    def _called(self, site: Site, frame: Frame, depth: int) -> Iterator[Origin]:
        reached = self.reached(site)
        for end, _, _ in reached:
            yield Origin(end)
        if reached:
            return
        # A component's result ends the way: what is behind it is that component's own matter.
        inner = self.inlined(site.path, Called(site.call.line, site.number), frame, depth)
        if inner is not None:
            for where, made, within in inner:
                yield from self.origins(where, made, within, depth)
            return
        of = [f.of for f in site.call.function if isinstance(f, Attr)]
        if any(word_of(f) in COPYING for f in site.call.function):
            for values in of:
                yield from self.origins(site.path, values, frame, depth)
            return
        if any(word_of(f) in MADE_OF for f in site.call.function) or not of:
            of += [*site.call.args, *site.call.keywords.values(), *site.call.spreads]
        for values in of:
            if not all(isinstance(v, Const) for v in values):
                yield from self._inexact(site.path, values, frame, depth)

    def _targets(self, path: str, number: int) -> tuple[Target, ...]:
        return self.callers.targets(Site(path, number, self.index.facts[path].calls[number]))[0]

    def inlined(self, path: str, value: Called, frame: Frame, depth: int) -> list[tuple[str, Values, Frame]] | None:
        """What a function of the project that is not a component's gives back, with its parameters bound; else None."""
        call = self.index.facts[path].calls[value.call]
        targets = self.callers.targets(Site(path, value.call, call))[0]
        found: list[tuple[str, Values, Frame]] = []
        for target in targets:
            if target.cls is not None and len(targets) == 1:  # a record made by its class
                return [(path, (Record(call.line, dict(call.keywords), call.spreads),), frame)]
            code = target.code
            # Recursion, a component, or too deep: not gone into. The call's own origin stands for it.
            if code is None or self.end_of(target) is not None or (code.path, code.name) in frame or depth > MAX_STEPS:
                return None
            function = self.index.function(code)
            if function is None or not function.returns or function.is_wrapped:
                return None
            self._left -= 1
            if self._left <= 0:
                self.index.facts.reads.rest(None)
                return None
            within: Frame = {**frame, (code.path, code.name): (path, call, target.shift, frame)}
            found.append((code.path, function.returns, within))
        return found or None


class _Into:
    """What one call gives to a component's method: each value followed to where it was born."""

    def __init__(self, flows: Flows, site: Site, taken: End) -> None:
        self._all, self._site, self._taken = flows, site, taken
        self.flows: list[Flow] = []
        self.beside: dict[str, None] = {}  # the fields that are given one by one

    def value(self, path: str, values: Values, keys: tuple[str, ...], frame: Frame, depth: int) -> None:
        """Values that go to one field."""
        for where, value, within, at in self._inside(path, values, frame, depth):
            if isinstance(value, Record) and at < MAX_NESTED:
                for key, some in value.fields.items():
                    self.value(where, some, (*keys, key), within, at + 1)
                for spread in value.spreads:
                    self._add(where, spread, keys, within, True)
            elif isinstance(value, Listing) and at < MAX_NESTED:
                self.value(where, value.elements, (*keys, "[]"), within, at + 1)
            else:
                self._add(where, (value,), keys, within, False)

    def mapping(self, path: str, values: Values, frame: Frame, depth: int) -> None:
        """A mapping whose keys are the fields."""
        for where, value, within, at in self._inside(path, values, frame, depth):
            if isinstance(value, Record) and at < MAX_NESTED:
                for key, some in value.fields.items():
                    self.beside[key] = None
                    self.value(where, some, (key,), within, at + 1)
                for spread in value.spreads:
                    self.mapping(where, spread, within, at + 1)
                if value.open:
                    self.beside["*"] = None
            else:
                self._add(where, (value,), (), within, True)

    def _inside(self, path: str, values: Values, frame: Frame, depth: int) -> Iterator[tuple[str, Value, Frame, int]]:
        """The values themselves: what was not changed on the way, what functions of the project give back."""
        for value in values:
            if isinstance(value, Touched) and not self._all.is_changed(path, value):
                yield from self._inside(path, value.of, frame, depth)
                continue
            inner = self._all.inlined(path, value, frame, depth) if isinstance(value, Called) else None
            if inner is None or depth >= MAX_NESTED:
                yield path, value, frame, depth
            else:
                for where, made, within in inner:
                    yield from self._inside(where, made, within, depth + 1)

    def _add(self, path: str, values: Values, keys: tuple[str, ...], frame: Frame, whole: bool) -> None:
        origins = self._all.origins(path, values, frame)
        if not origins and whole and not keys:
            self.beside["*"] = None
        for origin in origins:
            one = Flow(origin.end, origin.keys, self._taken, keys, self._site.place, origin.exact, whole)
            call = self._site.call
            one = replace(one, soft=origin.soft, guarded=call.guarded, caught=call.caught)
            self.flows.append(one)
