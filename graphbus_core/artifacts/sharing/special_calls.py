"""Functions of the library that have a way of their own: what a call of each does, and what it gives."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from graphbus_core.artifacts.sharing import library
from graphbus_core.artifacts.sharing.databases import DATABASE, is_in_memory
from graphbus_core.artifacts.sharing.events import MEMORY_VIEW
from graphbus_core.artifacts.sharing.expressions import describe
from graphbus_core.artifacts.sharing.keys import DICT, refuse_kinds
from graphbus_core.artifacts.sharing.paths import TEMPORARY, is_temporary, join_path, reads_only, says_all
from graphbus_core.artifacts.sharing.protocols import COMPARING, COPYING, KEYING
from graphbus_core.artifacts.sharing.values import (
    KEYS,
    NOTHING,
    PLAIN,
    TEXT,
    WHOLE,
    Atom,
    ClassScope,
    FunctionValue,
    Immutable,
    ModuleScope,
    Outside,
    Site,
    Value,
    is_plain,
    join,
    reach,
)

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.calls import Calls
    from graphbus_core.artifacts.sharing.engine import Engine
    from graphbus_core.artifacts.sharing.objects import Objects

Named = dict[str, Value]
SpecialCall = Callable[[list[Value], Named, Value, ast.AST], Value]


class SpecialCalls:
    """Answers for `Calls`, by the name of the function."""

    def __init__(self, engine: Engine, objects: Objects, calls: Calls) -> None:
        self._engine, self._objects, self._calls = engine, objects, calls

    def find(self, name: str) -> SpecialCall | None:
        """What a call of `name` does, where it has a way of its own."""
        if name in library.FILE_CHANGES:
            return partial(self._change_files, name)
        if name in ("csv.reader", "csv.DictReader"):
            return partial(self._call_reader, name)
        found = _SPECIAL.get(name)
        return partial(found, self) if found is not None else None

    def _call_getattr(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        if not says_all(node, arguments, rest) or len(arguments) < 2:
            return self._calls.call_unknown("getattr", arguments, named, rest, node)
        default = arguments[2] if len(arguments) > 2 else NOTHING
        name = node.args[1]
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            return join(self._objects.get_attribute(arguments[0], name.value, node), default)
        return join(default, *(self._get_any(atom, node) for atom in arguments[0]))

    def _get_any(self, atom: Atom, node: ast.AST) -> Value:
        """Any attribute of it."""
        if isinstance(atom, Immutable):
            refuse_kinds(self._engine, frozenset((atom,)), node)
            return PLAIN
        if isinstance(atom, Site) and atom.kind == "instance" and atom.cls is not None:
            names = {n for c in atom.cls.lineage() for n in c.names} | set(atom.fields)
            names |= set(self._engine.attributes.list_names(atom))
            if not atom.lasting:  # what `__init__` does to it, it did
                names = {name for name in names if not name.startswith("__")}
            return join(*(self._objects.get_attribute(frozenset((atom,)), name, node) for name in sorted(names)))
        if isinstance(atom, ModuleScope | ClassScope):
            self._engine.see_whole((atom,))
        if isinstance(atom, ModuleScope):
            return join(*atom.names.values())
        if isinstance(atom, ClassScope):
            return join(*(v for c in atom.lineage() for v in c.names.values()))
        if isinstance(atom, Site) and not (atom.kind == "object" and atom.lasting):
            return join(PLAIN, atom.items, frozenset((atom,)))
        self._engine.note("reads an attribute by a name that is computed", node)
        return self._engine.make_unknown(node, describe(node))

    def _call_setattr(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        name = node.args[1] if says_all(node, arguments, rest) and len(arguments) > 1 else None
        known = name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else "(any)"
        owner = arguments[0] if arguments else rest
        if len(arguments) < 3:  # `delattr`
            self._objects.delete(known)
        self._objects.set_attribute(owner, known, join(*arguments[1:], rest), node)
        return PLAIN

    def _call_next(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        source = arguments[0] if arguments else rest
        if is_plain(source):
            self._engine.note(f"uses up {describe(node)}, which is not read", node)
        return join(self._objects.iterate(source, node), *arguments[1:])

    def _call_zip(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """Tuples of one element of each."""
        places = [self._objects.iterate(value, node) or PLAIN for value in arguments]
        if rest:
            self._objects.iterate(rest, node)
            return self._calls.give(library.Effect("iterator"), "builtins.zip", join(*arguments, rest), node)
        return self._iterate_tuples(places, node)

    def _call_enumerate(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        elements = self._objects.iterate(join(*arguments[:1], rest), node) or PLAIN
        return self._iterate_tuples([frozenset((WHOLE,)), elements], node)

    def _iterate_tuples(self, places: list[Value], node: ast.AST) -> Value:
        row = self._engine.make_tuple((node, "row"), places)
        return frozenset((self._engine.make((node, "rows"), "iterator", frozenset((row,))),))

    def _call_map(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """What the function gives for each, and nothing around it."""
        if rest or len(arguments) < 2:
            return self._calls.call_library("builtins.map", arguments, named, rest, node)
        elements = [self._objects.iterate(value, node) or PLAIN for value in arguments[1:]]
        with self._engine.repeating(), self._engine.attributes.perhaps():
            calls = [self._calls.call(atom, elements, {}, NOTHING, node) for atom in arguments[0]]
        made = self._engine.make((node, "map"), "iterator", join(*calls) or PLAIN)
        self._engine.trace.derive_iterator(made, join(*arguments))
        return frozenset((made,))

    def _call_groupby(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """What the key gives for an element, and an iterator of elements."""
        elements = self._objects.iterate(join(*arguments[:1], rest), node) or PLAIN
        keys = join(*arguments[1:], *named.values(), rest)
        with self._engine.repeating(), self._engine.attributes.perhaps():
            results = [self._calls.call(atom, [elements], {}, NOTHING, node) for atom in keys if atom not in PLAIN]
        heads = join(*results) or elements
        self._engine.see(reach(heads))
        self._objects.operate([heads], node, COMPARING)
        group = self._engine.make((node, "group"), "iterator", elements)
        return self._iterate_tuples([heads, frozenset((group,))], node)

    def _call_combined(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """Tuples of elements of any of these."""
        sources = [self._objects.iterate(value, node) for value in (*arguments, *named.values(), rest) if value]
        row = self._engine.make((node, "row"), "container", join(*sources) or PLAIN)
        return frozenset((self._engine.make((node, "rows"), "iterator", frozenset((row,))),))

    def _call_reader(self, name: str, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """Rows of texts, or of numbers where a dialect says so."""
        source = join(*arguments[:1], named.get("f", NOTHING), named.get("csvfile", NOTHING), rest)
        lines = self._objects.iterate(source, node)
        inputs = join(*arguments, *named.values(), rest)
        self._calls.use(frozenset(a for a in inputs if not isinstance(a, ClassScope)), name, node)
        self._objects.implicit.use_attributes(lines, node)
        is_told = named.keys() & {"dialect", "quoting", "restval"} or len(arguments) > 2 or rest
        texts: Value = PLAIN if is_told else frozenset((TEXT,))
        row = self._engine.make((node, "row"), "container", join(texts, named.get("restval", NOTHING)))
        if name == "csv.DictReader":
            row.made_by = DICT
            fields = self._objects.iterate(join(*arguments[1:2], named.get("fieldnames", NOTHING), rest), node)
            self._engine.put(row, join(fields, texts), KEYS)
            self._engine.put_value(row, frozenset((self._engine.make((node, "more"), "container", texts),)))
        rows = self._engine.make((node, name), "iterator", frozenset((row,)))
        self._engine.put(rows, join(*arguments[1:], *named.values(), rest), "held")
        return frozenset((rows,))

    def _call_namespace(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """What is given by name can be had by name."""
        parts = join(*named.values(), rest, *(self._objects.get_elements(value) for value in (*arguments, rest)))
        site = self._engine.make((node, "namespace"), "container", join(PLAIN, parts))
        site.made_by = "types.SimpleNamespace"
        self._calls.use(join(*arguments, *named.values(), rest), site.made_by, node)
        return frozenset((site,))

    def _call_tee(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """Iterators, each of which is used up."""
        elements = self._objects.iterate(join(*arguments[:1], rest), node) or PLAIN
        result = self._engine.make((node, "tee"), "iterator", elements)
        return frozenset((self._engine.make(node, "container", frozenset((result,))),))

    def _call_reduce(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """The first argument is what came out so far, the second an element."""
        if len(arguments) < 2 or rest:
            return self._calls.give(library.Effect("parts"), "functools.reduce", join(*arguments, rest), node)
        elements = self._objects.iterate(arguments[1], node) or PLAIN
        so_far = join(*arguments[2:], named.get("initial", NOTHING)) or elements
        for _ in range(_MAX_REDUCTIONS):
            inputs = join(so_far, *(self._calls.call(a, [so_far, elements], {}, NOTHING, node) for a in arguments[0]))
            if inputs == so_far:
                return so_far
            so_far = inputs
        return self._calls.give(library.Effect("parts"), "functools.reduce", join(*arguments, so_far), node)

    def call_chain_map(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """A change of it is one of its first dict; the others are looked into, and can be had as `maps`."""
        inputs = join(*arguments, rest)
        site = self._engine.make(node, "container", join(self._objects.get_elements(inputs), PLAIN))
        site.made_by = "collections.ChainMap"
        self._engine.view(site, join(*arguments[:1], rest))
        parents = self._engine.make((node, "parents"), "container", frozenset(site.items))
        parents.made_by = site.made_by
        self._engine.view(parents, inputs)
        maps = self._engine.make((node, "maps"), "container", inputs)
        order = self._engine.make((node, "order"), "container", label="the maps of a ChainMap")
        order.lasting = True  # which of them a change goes to is known as long as nobody changes the list
        self._engine.view(maps, frozenset((order,)))
        for chain in (site, parents):
            self._engine.put(chain, frozenset((maps,)), "maps")
            self._engine.put(chain, frozenset((parents,)), "parents")
        return frozenset((site,))

    def _call_view(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """A change of it is one of what it was made of."""
        inputs = join(*arguments, rest)
        site = self._engine.make(node, "container", PLAIN)
        self._engine.view(site, inputs)
        if len(inputs) == 1 and all(isinstance(a, Site) and a.kind == "container" for a in inputs):
            site.made_by = MEMORY_VIEW
        return frozenset((site,))

    def _call_thread(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """Calls its target, at any time from now on."""
        inputs = join(named.get("args", NOTHING), named.get("kwargs", NOTHING), rest, *arguments[2:])
        parts = self._objects.get_elements(inputs)
        target = join(named.get("target", NOTHING), *arguments[1:2])
        self._engine.escape(target)
        with self._engine.attributes.elsewhere():
            for atom in target:
                self._calls.call(atom, [], {}, parts or PLAIN, node)
        result = self._engine.make(node, "object", inputs, label="a thread")
        return frozenset((result,))

    def _call_loop(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """The event loop, which outlives every event."""
        loop = self._engine.make(node, "object", label="the event loop")
        loop.lasting, loop.made_by = True, "asyncio.get_running_loop"
        self._engine.trace.strange.add(loop)
        self._engine.is_steady = False
        return frozenset((loop,))

    def _call_to_thread(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        self._engine.is_steady = False
        return self._calls.submit(arguments, named, rest, "submit", node)

    def _call_methodcaller(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        result = self._call_getter(arguments, named, rest, node)
        for atom in result:
            if isinstance(atom, Site) and atom.kind == "getter":
                atom.made_by = "call"
        return result

    def _call_getter(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """`operator.attrgetter(…)`, `methodcaller(…)`: what it does is done when it is called."""
        names = [a.value for a in node.args if isinstance(a, ast.Constant)] if isinstance(node, ast.Call) else []
        if not says_all(node, arguments, rest) or len(names) != len(node.args):
            return self._calls.call_unknown(describe(getattr(node, "func", node)), arguments, named, rest, node)
        site = self._engine.make(node, "getter", join(*arguments[1:], *named.values()))
        site.label = str(names[0])
        site.made_by = " ".join(map(str, names))
        return frozenset((site,))

    def run_getter(self, site: Site, given: Value, node: ast.AST) -> Value:
        if site.made_by == "call":
            callee = self._objects.get_attribute(given, site.label, node, called=True)
            return join(*(self._calls.call(a, [], {}, frozenset(site.items), node) for a in callee)) or PLAIN
        values = []
        for path in site.made_by.split():
            value = given
            for name in path.split("."):
                value = self._objects.get_attribute(value, name, node)
            values.append(value)
        return values[0] if len(values) == 1 else frozenset((self._engine.make_tuple(node, values),))

    def _call_run(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """A loop of its own, which ends with what the coroutine gives: its lines were followed when it was made."""
        self._engine.is_steady = False
        if len(arguments) != 1 or rest or named:
            return self._calls.call_unknown("asyncio.run", arguments, named, rest, node)
        coroutines = frozenset(a for a in arguments[0] if isinstance(a, Site) and a.kind == "iterator")
        outcome = self._objects.iterate(coroutines, node) if coroutines else NOTHING
        return join(arguments[0] - coroutines, outcome) or PLAIN

    def _call_dispatch(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        site = self._engine.make(node, "dispatch")
        self._engine.put(site, join(*arguments, rest), "functions")
        return frozenset((site,))

    def call_operator(self, name: str, arguments: list[Value], node: ast.AST) -> Value:
        """`operator.iadd(a, b)` changes and gives `a`; `operator.add(a, b)` gives something new."""
        result = self._objects.operate(arguments, node)
        if name in library.INPLACE_OPERATORS:
            changed = arguments[0]
            self._engine.change(changed, node, describe(node))
            more = join(*arguments[1:])
            for atom in changed:
                if isinstance(atom, Site) and not (atom.lasting and self._engine.handling):
                    self._engine.put(atom, join(more, self._objects.get_elements(more)))
            result = join(result, changed)
        return result

    def _call_iter(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        source = join(*arguments, rest)
        called = self._calls.call_functions(source, NOTHING, node)  # `iter(function, sentinel)`
        iterators = frozenset(a for a in source if isinstance(a, Site) and a.kind == "iterator")
        elements = join(self._objects.iterate(source - iterators, node), called)
        made = self._engine.make(node, "iterator", elements)
        is_plain_source = all(isinstance(a, Site) and a.kind == "container" for a in source)
        self._engine.trace.judge_iterator(made, is_plain_source)
        return join(iterators, frozenset((made,)))

    def _call_type(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        if not arguments and not (isinstance(node, ast.Call) and any(isinstance(a, ast.Starred) for a in node.args)):
            arguments = [rest]  # somebody else calls it, `map` for one
        if len(arguments) == 1:
            refuse_kinds(self._engine, arguments[0], node)
            classes = [a.cls for a in arguments[0] if isinstance(a, Site) and a.cls is not None]
            return join(PLAIN, frozenset(classes))
        return self._calls.call_unknown("type", arguments, named, rest, node)

    def _call_vars(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        if not arguments:
            return self._call_globals(arguments, named, rest, node)
        return self._objects.get_attribute(join(*arguments), "__dict__", node)

    def _call_globals(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        module = self._engine.stack[-1].function.module
        self._engine.memos.see_all_of(module)
        view = self._engine.make(
            (module, "globals"), "container", join(PLAIN, *module.names.values()), label="globals()"
        )
        view.lasting = True
        return frozenset((view,))

    def _call_open(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        self._engine.is_steady = False
        if not reads_only(node, arguments, rest, 1) and not (arguments and is_temporary(arguments[0])):
            return self._calls.call_unknown("open", arguments, named, rest, node, Outside("io.open"))
        return frozenset((self._engine.make(node, "object", PLAIN),))

    def _call_partialmethod(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        result = self._call_partial(arguments, named, rest, node)
        for atom in result:
            if isinstance(atom, Site):
                atom.made_by = "functools.partialmethod"
        return result

    def _call_partial(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        site = self._engine.make(node, "partial")
        self._engine.put(site, arguments[0] if arguments else rest, "functions")
        self._engine.put(site, join(*arguments[1:], *named.values(), rest), "arguments")
        if named or rest or (site.positions is not None and len(site.positions) != len(arguments) - 1):
            site.is_mixed = True  # which argument is which is not known
        elif not site.is_mixed:
            site.positions = site.positions or [set() for _ in arguments[1:]]
            for place, value in zip(site.positions, arguments[1:], strict=True):
                self._engine.changes += not value <= place
                place |= value
        return frozenset((site,))

    def _call_weakref(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """Whoever calls it is given the object, as long as that is there."""
        if len(arguments) != 1 or named or rest:
            return self._calls.call_unknown("weakref.ref", arguments, named, rest, node)
        return self._call_partial([frozenset((Outside("builtins.identity"),)), *arguments], named, rest, node)

    def _call_connect(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """A database in memory is as new as a list; any other is a file."""
        place = node.args[0] if says_all(node, arguments, rest) and node.args else None
        options = {"isolation_level", "detect_types", "timeout", "check_same_thread", "cached_statements"}
        if place is not None and named.keys() <= options and is_in_memory(place, self._engine):
            database = self._engine.make(node, "object", PLAIN, label="the database")
            database.made_by = DATABASE
            return frozenset((database,))
        name = "sqlite3.connect"
        return self._calls.call_unknown(name, arguments, named, rest, node, Outside(name))

    def _call_deepcopy(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """A new object, that shares nothing with the old one, and changes nothing of it."""
        engine = self._engine
        originals, others = join(*arguments[:1], rest), join(*arguments[1:], *named.values(), rest)
        reached = reach(join(originals, others))
        if others or not all(map(_is_copied_plainly, reached)):  # what it gives, its memo or its classes say
            return self._copy_by_hooks("copy.deepcopy", arguments, named, rest, node)
        engine.see(reached)
        engine.see_whole(reached)
        own = frozenset(atom for atom in reached if isinstance(atom, Site) and atom.kind == "instance")
        self._objects.operate([own], node, KEYING)  # a set, a dict is filled
        twins: dict[Atom, Atom] = {atom: self._make_twin(atom, node) for atom in reached}
        for atom, twin in twins.items():
            if not isinstance(atom, Site) or not isinstance(twin, Site) or twin is atom or atom.kind == "object":
                continue
            engine.put(twin, frozenset(twins[a] for a in list(atom.items)))
            for name, values in list(atom.fields.items()):
                engine.put(twin, frozenset(twins[a] for a in list(values)), name)
            for name, values in list(atom.keyed.items()):
                engine.put_at(twin, ast.Constant(name), frozenset(twins[a] for a in list(values)))
        return frozenset(twins[atom] for atom in originals)

    def _copy_by_hooks(self, name: str, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """What a deep copy gives that may hold parts of what is copied, or what its classes give instead."""
        reached = reach(join(*arguments, *named.values(), rest))
        owns = [a for a in reached if isinstance(a, Site) and a.kind == "instance"]
        hooked = [self._objects.implicit.ask(site, COPYING, PLAIN, node) for site in owns]
        parts = reach(join(reached, *hooked))
        copies = self._calls.call_library(name, arguments, named, rest, node)
        for site in [a for a in copies if isinstance(a, Site) and not a.lasting]:
            self._engine.put(site, parts)
        return join(copies, parts if name == "copy.deepcopy" else NOTHING)

    def _call_asdict(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """It copies deeply all but records."""
        if all(map(_is_copied_plainly, reach(join(*arguments, rest)))):
            return self._calls.call_library("dataclasses.asdict", arguments, named, rest, node)
        return self._copy_by_hooks("dataclasses.asdict", arguments, named, rest, node)

    def _make_twin(self, atom: Atom, node: ast.AST) -> Atom:
        """What a deep copy makes of it, with nothing in it yet."""
        if not isinstance(atom, Site) or atom.kind in ("path", "log") or _is_member(atom):
            return atom
        first = atom.copied or atom
        twin = self._engine.make((node, first, "deep"), atom.kind, PLAIN if atom.kind == "object" else NOTHING)
        if twin is not atom:
            twin.copied, twin.cls, twin.label = first, atom.cls, ""
            twin.is_default, twin.made_by, twin.is_copy, twin.is_filled = atom.is_default, atom.made_by, True, True
        return twin

    def make_from_keys(self, arguments: list[Value], node: ast.AST) -> Value:
        """A dict of these keys, and of the one value for each."""
        keys = self._objects.iterate(arguments[0], node)
        self._objects.operate([keys], node, KEYING)
        site = self._engine.make(node, "container", PLAIN)
        site.made_by = DICT
        site.is_filled = True
        self._engine.put(site, keys - PLAIN, KEYS)
        self._engine.put_value(site, join(*arguments[1:]) or PLAIN)
        return frozenset((site,))

    def call_copy(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """A new object with the same parts."""
        result: Value = NOTHING
        for atom in join(*arguments[:1], rest):
            if not isinstance(atom, Site):
                result = join(result, frozenset((atom,)))
                continue
            self._engine.see_whole((atom,))
            if atom.kind == "object" and atom.lasting:
                self._engine.note(f"copies {atom.label}, which is not read", node, handed=frozenset((atom,)))
            first = atom.copied or atom
            is_dict = atom.made_by == DICT and atom.kind == "container"
            items = NOTHING if is_dict else frozenset(atom.items)
            copied = self._engine.make((node, first), atom.kind, items, cls=atom.cls)
            if copied is not atom:
                copied.copied = first
                self._engine.fresh[copied] = node
            copied.is_default, copied.made_by = atom.is_default, atom.made_by
            if is_dict:
                self._copy_dict(atom, copied)
            copied.is_copy = copied.is_filled = True
            if atom.kind in ("data", "object"):  # what stands in it, however deep, is not told apart from it
                self._engine.put(copied, frozenset((atom,)))
            self._engine.view(copied, frozenset(atom.views))
            for field, values in list(atom.fields.items()):
                self._engine.put(copied, frozenset(values), field)
            for field, value in named.items():
                self._engine.put(copied, value, field)
            self._objects.operate([frozenset((atom,))], node)
            hooked = self._objects.implicit.ask(atom, COPYING, PLAIN, node)
            result = join(result, frozenset((copied,)), (a for a in hooked if not isinstance(a, Immutable)))
        return result or PLAIN

    def _copy_dict(self, atom: Site, copied: Site) -> None:
        """What stands in a dict, as far as it is known under which key."""
        copied.is_mixed = copied.is_mixed or atom.is_mixed
        self._engine.put_value(copied, frozenset(atom.loose))
        for name, values in list(atom.keyed.items()):
            self._engine.put_at(copied, ast.Constant(name), frozenset(values))

    def _call_dict(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """A copy of a dict, and what it is given by name."""
        of_dict = arguments and all(isinstance(a, Site) and a.made_by == DICT and not a.cls for a in arguments[0])
        if len(arguments) != 1 or not of_dict or not says_all(node, arguments, rest):
            return self._calls.call_library("builtins.dict", arguments, named, rest, node)
        copies = self.call_copy(arguments, {}, NOTHING, node)
        for site in [a for a in copies if isinstance(a, Site)]:
            self._engine.put(site, frozenset((TEXT,)), KEYS)
            for name, value in named.items():
                self._engine.put_at(site, ast.Constant(name), value)
        return copies

    def _call_replace(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """A new object, which its class makes, with the same parts but these: a factory of a field may run again."""
        copies = self.call_copy(arguments, named, rest, node)
        for site in [a for a in copies if isinstance(a, Site)]:
            rows = [row for cls in (site.cls.lineage() if site.cls else ()) for row in cls.names.items()]
            for field, default in [(name, atom) for name, values in rows for atom in values]:
                if isinstance(default, Site) and "factory" in default.fields:
                    results = [self._engine.call_any(a, NOTHING, node) for a in list(default.fields["factory"])]
                    self._engine.put(site, join(*results), field)
            inputs = join(*named.values(), *map(frozenset, site.fields.values()), PLAIN)
            self._objects.implicit.ask(site, _MAKING, inputs, node)
        return copies

    def _call_itemgetter(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        return frozenset((Outside("operator.getitem"),))

    def _call_NewType(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        return frozenset((Outside("builtins.identity"),))

    def _call_field(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        site = self._engine.make(node, "container", named.get("default", NOTHING))
        self._engine.put(site, named.get("default_factory", NOTHING), "factory")
        return frozenset((site,)) if "default_factory" in named else named.get("default", PLAIN)

    def _call_fields(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """The fields of a class, which hold their defaults and what else the class was told of them."""
        asked = join(*arguments, *named.values(), rest)
        classes = frozenset(a.cls if isinstance(a, Site) else a for a in asked)
        return join(*(self._objects.get_attribute(frozenset((c,)), "__fields__", node) for c in classes if c))

    def _call_getLogger(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        log = self._engine.make(node, "log", join(*arguments, *named.values(), rest))
        log.lasting = True  # there is one of a name
        self._engine.trace.kept[log] = "logging.getLogger"
        return frozenset((log,))

    def _call_namedtuple(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        return frozenset((Outside("builtins.tuple_of_names"),))

    def _call_tuple_of_names(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        row = self._engine.make(node, "container", join(PLAIN, *arguments, *named.values(), rest))
        row.made_by = "collections.namedtuple"
        return frozenset((row,))

    # Paths and files

    def make_path(self, arguments: list[Value], node: ast.AST) -> Value:
        self._objects.implicit.use(join(*arguments), node)  # its `__fspath__`
        return join_path(self._engine, arguments, node.args if says_all(node, arguments, NOTHING) else [], node)

    def _call_path_join(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        return self.make_path(arguments, node) if not rest else frozenset((self._engine.make(node, "path"),))

    def _call_temporary_folder(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """A folder that nobody else has, and that goes with the block."""
        if arguments or rest or not named.keys() <= {"prefix", "suffix"}:
            name = "tempfile.TemporaryDirectory"
            return self._calls.call_unknown(name, arguments, named, rest, node, Outside(name))
        folder = self._engine.make((node, "folder"), "path")
        folder.made_by = TEMPORARY
        result = self._engine.make(node, "object", frozenset((folder,)), label="a temporary folder")
        result.made_by = "tempfile.TemporaryDirectory"
        self._engine.put(result, frozenset((folder,)), "name")
        return frozenset((result,))

    def _call_made_folder(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """A folder that nobody else knows the name of."""
        folders = [a for a in self._call_temporary_folder(arguments, named, rest, node) if isinstance(a, Site)]
        return join(*(a.fields.get("name", {a}) for a in folders))

    def _change_files(self, name: str, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """What is done to files of a temporary folder goes with it."""
        self._engine.is_steady = False
        if rest or not arguments or not all(map(is_temporary, arguments)) or "dir_fd" in named:
            return self._calls.call_unknown(name, arguments, named, rest, node, Outside(name))
        return arguments[-1]

    def _call_archive(self, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """A packed file in memory, or in a temporary folder; or any that is read."""
        place = named.get("fileobj", NOTHING) or join(*arguments[:1], rest)
        is_own = place and all(isinstance(a, Site) and not a.lasting and a.kind in ("object", "path") for a in place)
        if not is_own or (not is_temporary(place) and any(isinstance(a, Site) and a.kind == "path" for a in place)):
            is_read = reads_only(node, arguments, rest, 1)
            if not is_read or any(isinstance(a, Site) and a.kind == "object" for a in place):
                what = describe(getattr(node, "func", node))
                return self._calls.call_unknown(what, arguments, named, rest, node, Outside("zipfile.ZipFile"))
            self._engine.is_steady = False
            place = NOTHING
        result = self._engine.make(node, "object", place or PLAIN)
        result.made_by = "zipfile.ZipFile"
        return frozenset((result,))


# By these a class says itself how it is copied, or is told of it.
_MAKING = ("__init__", "__post_init__", "__new__", "__replace__", "model_post_init")


def _is_copied_plainly(atom: Atom) -> bool:
    """Whether a deep copy of it is the same but new, and runs none of the project's code but to compare keys."""
    match atom:
        case Site(kind="container" | "data"):
            return not atom.views
        case Site(kind="instance", cls=ClassScope() as cls):
            is_simple = _is_member(atom) or all(base in library.SIMPLE_BASES for base in cls.list_outside())
            return is_simple and not any(cls.find(name) for name in COPYING)
        case Site(kind="object"):
            return _is_of_library(atom)
        case Site():
            return atom.kind in ("path", "log")
        case FunctionValue():
            return atom.bound is None
    return isinstance(atom, Immutable | ClassScope | Outside)


def _is_member(site: Site) -> bool:
    return site.cls is not None and bool(set(site.cls.list_outside()) & library.ENUM_BASES)


def _is_of_library(atom: Atom) -> bool:
    """Whether it is an object of the library that holds none of the project's code."""
    if not isinstance(atom, Site) or atom.kind != "object" or not atom.made_by:
        return False
    return not any(isinstance(a, Site) and a.kind == "instance" for a in reach((atom,))) and not atom.fields.get(
        "functions"
    )


_MAX_REDUCTIONS = 8
_Special = Callable[[SpecialCalls, list[Value], Named, Value, ast.AST], Value]
_SPECIAL: dict[str, _Special] = {
    "builtins.getattr": SpecialCalls._call_getattr,
    "builtins.setattr": SpecialCalls._call_setattr,
    "builtins.delattr": SpecialCalls._call_setattr,
    "builtins.object.__setattr__": SpecialCalls._call_setattr,
    "builtins.object.__delattr__": SpecialCalls._call_setattr,
    "builtins.next": SpecialCalls._call_next,
    "builtins.anext": SpecialCalls._call_next,
    "builtins.iter": SpecialCalls._call_iter,
    "builtins.aiter": SpecialCalls._call_iter,
    "builtins.type": SpecialCalls._call_type,
    "builtins.vars": SpecialCalls._call_vars,
    "builtins.globals": SpecialCalls._call_globals,
    "builtins.open": SpecialCalls._call_open,
    "builtins.dict": SpecialCalls._call_dict,
    "builtins.zip": SpecialCalls._call_zip,
    "builtins.enumerate": SpecialCalls._call_enumerate,
    "builtins.map": SpecialCalls._call_map,
    "builtins.memoryview": SpecialCalls._call_view,
    "collections.ChainMap": SpecialCalls.call_chain_map,
    "types.SimpleNamespace": SpecialCalls._call_namespace,
    "itertools.tee": SpecialCalls._call_tee,
    "itertools.groupby": SpecialCalls._call_groupby,
    **dict.fromkeys(
        ("itertools.pairwise", "itertools.product", "itertools.combinations", "itertools.permutations"),
        SpecialCalls._call_combined,
    ),
    "functools.reduce": SpecialCalls._call_reduce,
    "functools.singledispatch": SpecialCalls._call_dispatch,
    "functools.singledispatchmethod": SpecialCalls._call_dispatch,
    "tempfile.TemporaryDirectory": SpecialCalls._call_temporary_folder,
    "tempfile.mkdtemp": SpecialCalls._call_made_folder,
    "os.path.join": SpecialCalls._call_path_join,
    **dict.fromkeys(
        (
            *("zipfile.ZipFile", "tarfile.open", "tarfile.TarFile", "gzip.open", "gzip.GzipFile"),
            *("bz2.open", "bz2.BZ2File", "lzma.open", "lzma.LZMAFile"),
        ),
        SpecialCalls._call_archive,
    ),
    "threading.Thread": SpecialCalls._call_thread,
    "asyncio.run": SpecialCalls._call_run,
    "asyncio.get_running_loop": SpecialCalls._call_loop,
    "asyncio.get_event_loop": SpecialCalls._call_loop,
    "asyncio.to_thread": SpecialCalls._call_to_thread,
    "operator.attrgetter": SpecialCalls._call_getter,
    "operator.methodcaller": SpecialCalls._call_methodcaller,
    "builtins.tuple_of_names": SpecialCalls._call_tuple_of_names,
    "functools.partial": SpecialCalls._call_partial,
    "functools.partialmethod": SpecialCalls._call_partialmethod,
    "weakref.ref": SpecialCalls._call_weakref,
    "functools.cmp_to_key": SpecialCalls._call_partial,
    "types.MethodType": SpecialCalls._call_partial,
    "dataclasses.fields": SpecialCalls._call_fields,
    "dataclasses.field": SpecialCalls._call_field,
    "dataclasses.asdict": SpecialCalls._call_asdict,
    "dataclasses.astuple": SpecialCalls._call_asdict,
    "dataclasses.replace": SpecialCalls._call_replace,
    "logging.getLogger": SpecialCalls._call_getLogger,
    "logging.LoggerAdapter": SpecialCalls._call_getLogger,
    "collections.namedtuple": SpecialCalls._call_namedtuple,
    "sqlite3.connect": SpecialCalls._call_connect,
    "copy.copy": SpecialCalls.call_copy,
    "copy.deepcopy": SpecialCalls._call_deepcopy,
    "copy.replace": SpecialCalls._call_replace,
    "operator.itemgetter": SpecialCalls._call_itemgetter,
    "typing.NewType": SpecialCalls._call_NewType,
}
