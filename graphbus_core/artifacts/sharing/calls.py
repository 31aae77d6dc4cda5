"""What a call does to its receiver and arguments, and what it gives; some have a way of their own (`special_calls`)."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphbus_core.artifacts.sharing import library, standard_objects
from graphbus_core.artifacts.sharing.contexts import CLEARED, LOCAL, TELLING_FLAGS, mark_flags, refuse_flags
from graphbus_core.artifacts.sharing.databases import DATABASE, is_query
from graphbus_core.artifacts.sharing.doors import is_closed
from graphbus_core.artifacts.sharing.expressions import describe
from graphbus_core.artifacts.sharing.implicit import is_simple
from graphbus_core.artifacts.sharing.keys import DICT, LIST, TUPLE, check_call, check_method, refuse_kinds
from graphbus_core.artifacts.sharing.paths import find_beside, is_temporary, join_path, reads_only, says_all
from graphbus_core.artifacts.sharing.protocols import ASKED_BY, COMPARING, READING, TEXTS
from graphbus_core.artifacts.sharing.record_fields import list_fields
from graphbus_core.artifacts.sharing.special_calls import SpecialCalls
from graphbus_core.artifacts.sharing.values import (
    FLAG,
    IMMUTABLE,
    INDEX,
    KEY,
    KEYS,
    MATCH,
    NOTHING,
    PATTERN,
    PLAIN,
    TEXT,
    WHOLE,
    Atom,
    ClassScope,
    FunctionValue,
    Immutable,
    Method,
    ModuleScope,
    Outside,
    Site,
    Value,
    Wrapped,
    is_function,
    is_lasting,
    is_plain,
    join,
    reach,
)
from graphbus_core.module_origin import is_standard

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Engine
    from graphbus_core.artifacts.sharing.objects import Objects

Named = dict[str, Value]
PUBLISHING = frozenset(("publish", "apublish"))


@dataclass
class _CallAgain:
    """What a function may be called with, by the library within a call of it, and what it gave."""

    round: int = -1
    possible: Value = NOTHING
    result: Value = NOTHING
    is_steady: bool = True
    is_forgetful: bool = False


class Calls:
    """Answers for `Objects`."""

    def __init__(self, engine: Engine, objects: Objects) -> None:
        self._engine, self._objects = engine, objects
        self._special = SpecialCalls(engine, objects, self)
        self._depth = 0  # of calls by the library within each other
        self._places: dict[tuple[object, ...], ast.AST] = {}  # where a factory makes a field of an object
        self._again: dict[tuple[object, ...], _CallAgain] = {}

    def call(self, atom: Atom, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """What a call of this gives."""
        match atom:
            case FunctionValue():
                return self._engine.call(atom, arguments, named, rest, node)
            case Wrapped(how="cached", function=FunctionValue() as function):
                return self._objects.call_cached(function, arguments, named, rest, node)
            case Wrapped(how="static", function=function):
                return self.call(function, arguments, named, rest, node)
            case ClassScope():
                return self._make_instance(atom, arguments, named, rest, node)
            case Method():
                return self._call_method(atom, arguments, named, rest, node)
            case Outside():
                return self._call_outside(atom.name, arguments, named, rest, node)
            case Site():
                return self._call_object(atom, arguments, named, rest, node)
            case Immutable():
                return PLAIN
        return self.call_unknown(
            describe(node.func) if isinstance(node, ast.Call) else "it", arguments, named, rest, node
        )

    def call_unknown(
        self, what: str, arguments: list[Value], named: Named, rest: Value, node: ast.AST, of: Atom | None = None
    ) -> Value:
        """A call that is not followed. `of` an object: it may change, and give, what can be had from that and from what
        it is given. `of` a function of the library: what that may come by (`doors`). Of neither: anything."""
        engine = self._engine
        inputs = join(*arguments, *named.values(), rest)
        engine.note(f"calls {what}, which is not read", node, handed=join(inputs, (of,)) if of is not None else None)
        engine.is_steady = False
        engine.attributes.forget()
        engine.escape(inputs)
        unknown = engine.make((node, "unknown"), "object", inputs, label=f"what {what} gives")
        if isinstance(of, Site):
            engine.put(unknown, frozenset((of,)), "(of)")
            unknown.lasting = True  # what is done with it is not known either
            engine.give_in_set_up(of, inputs)
        elif not isinstance(of, Outside) or not is_closed(of.name):
            engine.trace.strange.add(unknown)
        if isinstance(of, Outside):
            engine.trace.kept[unknown] = of.name
            engine.give_in_set_up(of, inputs)
        if not engine.handling:
            for atom in reach(inputs):
                if isinstance(atom, Site) and atom.kind in ("container", "instance"):
                    engine.put(atom, frozenset((unknown,)))
                    for field in list(atom.fields):
                        engine.put(atom, frozenset((unknown,)), field)
        return frozenset((unknown,))

    # Objects of the project

    def _make_instance(
        self, cls: ClassScope, arguments: list[Value], named: Named, rest: Value, node: ast.AST
    ) -> Value:
        engine = self._engine
        engine.trace.classes.add(cls)
        outside = cls.list_outside()
        for base in outside:
            if not library.is_plain_base(base):
                made = frozenset((self._engine.make((node, cls, "unknown"), "instance", cls=cls),))
                self._engine.escape(made)
                what, given = f"{cls.node.name}, a {base}", [*arguments, made]
                return self.call_unknown(what, given, named, rest, node, Outside(base))
        if set(outside) & library.ENUM_BASES:
            return self._find_member(cls, arguments, named, rest, node)
        site = engine.make((node, cls), "instance", cls=cls)
        inputs: Value = frozenset((site,))
        if cls.find("__new__") is None and is_simple(cls):
            self._objects.constructed.add(site)
        if (new := cls.find("__new__")) is not None:
            for atom in new:
                plain = atom.function if isinstance(atom, Wrapped) else atom
                result = self.call(plain, [frozenset((cls,)), *arguments], named, rest, node)
                inputs = join(inputs, frozenset(a for a in result if isinstance(a, Site)))
        for instance in inputs:
            assert isinstance(instance, Site)
            self._initialize(instance, cls, arguments, named, rest, node)
        return inputs

    def _find_member(self, cls: ClassScope, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """`Colour(value)`: one of its members, or what its own `_missing_` gives."""
        members = self._objects.iterate(frozenset((cls,)), node)
        asked = [
            self.call(bound, arguments, named, rest, node)
            for atom in cls.find("_missing_") or ()
            for bound in self._objects.bind(atom, cls, node)
        ]
        return join(members, *asked)

    def _initialize(
        self, site: Site, cls: ClassScope, arguments: list[Value], named: Named, rest: Value, node: ast.AST
    ) -> None:
        init = cls.find("__init__")
        if init is not None:
            for atom in init:
                if isinstance(atom, FunctionValue):
                    bound = FunctionValue(atom.node, atom.module, atom.scope, atom.cls, site)
                    self._engine.call(bound, arguments, named, rest, node)
        elif cls.is_record:
            self._fill_record(site, cls, arguments, named, rest, node)
        else:
            self._engine.put(site, join(*arguments, *named.values(), rest))
            if not all(map(library.is_followed_base, cls.list_outside())):
                self._engine.view(site, join(*arguments, *named.values(), rest))
        if not is_simple(cls):
            self._objects.implicit.use_hooks(site, node)
        for name in ("__post_init__", "__del__", "model_post_init"):
            for atom in cls.find(name) or ():
                if isinstance(atom, FunctionValue):
                    bound = FunctionValue(atom.node, atom.module, atom.scope, atom.cls, site)
                    self._engine.call(bound, [], {}, PLAIN, node)

    def _fill_record(
        self, site: Site, cls: ClassScope, arguments: list[Value], named: Named, rest: Value, node: ast.AST
    ) -> None:
        fields = list_fields(cls)
        places = [name for name, is_placed in fields.items() if is_placed]
        for name in fields:
            index = places.index(name) if name in places else len(arguments)
            inputs = arguments[index] if index < len(arguments) else named.get(name, NOTHING)
            value = join(inputs, rest)
            if not inputs:  # what came with a star may be too short to reach it
                for default in cls.find(name) or PLAIN:
                    factories = default.fields.get("factory", ()) if isinstance(default, Site) else ()
                    place = self._places.setdefault((node, cls, name), ast.copy_location(ast.Pass(), node))
                    with self._engine.attributes.perhaps():  # once for each object, and for each field
                        result = join(*(self.call(f, [], {}, NOTHING, place) for f in factories))
                    self._engine.memos.own_fields.update((site, name, made) for made in result)
                    value = join(value, result or frozenset((default,)))
            self._engine.put(site, value, name)
        self._engine.put(site, join(*arguments, *named.values(), rest, PLAIN))

    def _call_object(self, site: Site, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        if site.kind == "getter":
            return self._special.run_getter(site, join(*arguments[:1], rest) or PLAIN, node)
        if site.kind == "partial":
            kept = frozenset(site.fields.get("arguments", ()))
            if site.positions is not None and not site.is_mixed and not rest:
                placed = [*map(frozenset, site.positions), *arguments]
                return join(*(self.call(a, placed, named, NOTHING, node) for a in site.fields["functions"])) or PLAIN
            calls = [
                self.call(a, [], {}, join(kept, rest, *arguments, *named.values()) or PLAIN, node)
                for a in site.fields.get("functions", ())
            ]
            return join(*calls) or PLAIN
        if site.kind == "instance" and site.cls is not None and (method := site.cls.find("__call__")) is not None:
            functions = [a for a in method if isinstance(a, FunctionValue)]
            calls = [
                self._engine.call(FunctionValue(a.node, a.module, a.scope, a.cls, site), arguments, named, rest, node)
                for a in functions
            ]
            return join(*calls) or PLAIN
        if site.kind in ("container", "iterator", "path") or (
            site.kind == "instance"
            and site.cls is not None
            and all(map(library.is_plain_base, site.cls.list_outside()))
        ):
            return PLAIN  # an error
        if site.kind == "dispatch":
            calls = [self.call(a, arguments, named, rest, node) for a in site.fields.get("functions", ())]
            return join(*calls) or PLAIN
        if site.kind == "data" and not site.lasting:
            return join(PLAIN, site.items)
        if site.made_by in library.CODECS:
            result = self._engine.make((node, site), "object", PLAIN)
            result.made_by = library.CODECS[site.made_by]
            return frozenset((result,))
        text = site.label or describe(getattr(node, "func", node))
        return self.call_unknown(text, arguments, named, rest, node, site)

    # Methods of what is not of the project

    def _call_method(self, method: Method, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        receiver, name = method.receiver, method.name
        inputs = join(*arguments, *named.values(), rest)
        text = describe(node.func) if isinstance(node, ast.Call) else name
        match receiver:
            case Immutable():
                check_method(self._engine, name, arguments, inputs, node)
                return self._call_plain_method(receiver, name, inputs, node)
            case Site(kind="log") if name in library.LOG_METHODS:
                if self._engine.memos.depth:
                    self._engine.note(f"calls {text} only where it does not remember", node, of=())
                self.use(join(inputs, receiver.items), name, node)
                return frozenset((receiver,)) if name == "getChild" else PLAIN
            case Site(kind="log"):
                return self.call_unknown(text, arguments, named, rest, node, receiver)
            case Site(kind="path"):
                return self._call_path(receiver, name, inputs, text, arguments, named, rest, node)
            case Site(kind="object"):
                return self._call_of_library(receiver, name, arguments, named, rest, node)
            case Site(kind="instance", cls=ClassScope() as cls) if not _may_have(cls, name):
                return PLAIN  # an error
            case Site(kind="instance", cls=ClassScope() as cls) if not all(
                map(library.is_plain_base, cls.list_outside())
            ):
                return self.call_unknown(text, arguments, named, rest, node, receiver)
            case Site(kind="instance", cls=ClassScope() as cls) if not is_simple(cls):
                return self._call_inherited(receiver, cls, name, arguments, named, rest, text, node)
            case Site(kind="dispatch"):
                return self._register(receiver, name, arguments, node)
            case Site():
                return self._call_container(receiver, name, arguments, named, rest, text, node)
            case ClassScope():
                return self._call_class(receiver, name, arguments, named, rest, node)
            case Wrapped(how="cached", function=FunctionValue() as function) if name == "cache_clear" or not is_lasting(
                function
            ):
                return PLAIN  # of a cache that lasts, how often it was asked tells of other events
        return self.call_unknown(text, arguments, named, rest, node)

    def _call_of_library(
        self, site: Site, name: str, arguments: list[Value], named: Named, rest: Value, node: ast.AST
    ) -> Value:
        """A method of an object that the library made."""
        engine = self._engine
        inputs = join(*arguments, *named.values(), rest)
        text = describe(node.func) if isinstance(node, ast.Call) else name
        if name in library.SUBMITTING.get(site.made_by, ()):
            self.call_functions(join(site.items, _list_functions(site)), PLAIN, node)  # what begins a thread
            return self.submit(arguments, named, rest, name, node)
        if site.made_by == DATABASE and site.lasting and self._is_query(site, name, arguments, rest, node):
            self._call_reading(site, name, inputs, text, node)
            return frozenset((self._engine.make((node, "rows"), "object", PLAIN),))
        if site.lasting and name in library.READING_OF.get(site.made_by, ()):
            return self._call_reading(site, name, inputs, text, node)
        if name == "clear_flags" and not engine.attributes.is_interrupted:
            engine.attributes.set_now |= {(site, CLEARED)}
        if name in TELLING_FLAGS:
            refuse_flags(engine, frozenset((site,)), node)
        if site.made_by == library.CONTEXT_VARIABLE:
            return self._call_variable(site, name, arguments, node)
        if site.lasting and name in library.WRITING_ON.get(site.made_by, ()):
            self.use(inputs, text, node)
            self._engine.change(frozenset(a for a in site.items if isinstance(a, Site)), node, text, inputs)
            return PLAIN
        if self._engine.outlives(site):
            return self.call_unknown(text, arguments, named, rest, node, site)
        if name in ("enter_context", "enter_async_context"):
            return self._objects.implicit.enter(join(*arguments, rest), node)
        if library.writes_files(name, site.made_by) and not _is_own_file(
            join(*arguments[1 if name == "extract" else 0 :][:1], *named.values(), rest)
        ):
            return self.call_unknown(text, arguments, named, rest, node, site)
        return self._call_container(site, name, arguments, named, rest, text, node)

    def _is_query(self, site: Site, name: str, arguments: list[Value], rest: Value, node: ast.AST) -> bool:
        return name == "execute" and says_all(node, arguments, rest) and is_query(node, site, self._engine)

    def _call_inherited(
        self,
        receiver: Site,
        cls: ClassScope,
        name: str,
        arguments: list[Value],
        named: Named,
        rest: Value,
        text: str,
        node: ast.AST,
    ) -> Value:
        """A method of a base of the library, which may call the class's own with what it is given."""
        inputs = join(*arguments, *named.values(), rest)
        if self._engine.handling:
            self._engine.trace.slots.update((kind, known) for kind in cls.lineage() for known in kind.names)
        if name == "_replace" and "typing.NamedTuple" in cls.list_outside():
            return self._special.call_copy([frozenset((receiver,))], named, rest, node)
        if (fed := self._feed_parser(receiver, cls, name, inputs, node)) is not None:
            return fed
        if name in library.READING_METHODS and library.is_collection(cls.list_outside()):
            hooked = self._objects.implicit.ask(receiver, READING, PLAIN, node)
        else:
            hooked = self._objects.implicit.use_hooks(receiver, node, inputs)
        if library.is_stateless_method(name, cls.list_outside()):
            return join(hooked, self._call_reading(receiver, name, inputs, text, node))
        if not all(map(library.is_followed_base, cls.list_outside())):
            self._engine.view(receiver, inputs)  # what it does with what it is given is not known
            if self._engine.outlives(receiver) or name not in library.READING_METHODS:
                self._engine.change(frozenset((receiver,)), node, text.rpartition(".")[0] or text, inputs)
        return join(hooked, self._call_container(receiver, name, arguments, named, rest, text, node))

    def _feed_parser(self, site: Site, cls: ClassScope, name: str, inputs: Value, node: ast.AST) -> Value | None:
        """A parser that lasts, and that this event has reset: what its base keeps is of this event."""
        bases = set(cls.list_outside()) & library.RESETTING.keys()
        if not bases or not site.lasting or not self._engine.handling or not site.is_once:
            return None
        attributes, place = self._engine.attributes, (site, "(base)")
        if name == "reset":  # of the base: `super().reset()`, or there is no other
            if attributes.is_interrupted:
                return None
            attributes.set_now |= {place}
            return PLAIN
        if place not in attributes.set_now or not any(name in library.RESETTING[base] for base in bases):
            return None
        self.use(inputs, name, node)
        return join(self._objects.implicit.use_hooks(site, node, inputs), PLAIN)

    def _call_reading(self, site: Site, name: str, inputs: Value, text: str, node: ast.AST) -> Value:
        """A method that changes nothing of an object of the library that lasts; what it holds may come out."""
        held = join(site.items, _list_functions(site))
        if any(isinstance(a, ClassScope) for a in held):  # it may make and call objects of it
            return self.call_unknown(text, [inputs], {}, NOTHING, node, site)
        self.use(inputs, text, node)
        if name in library.PARSING:
            self._refuse_lasting(inputs, text, node)
            self._refuse_owners(inputs, text, node)
        outcome = self.call_functions(join(inputs, held), PLAIN, node)
        if site.made_by == "decimal.Context":
            return PLAIN
        given = join(outcome, PLAIN, (a for a in held if isinstance(a, Site)))
        if site.kind == "instance":
            given = join(given, inputs, self._objects.get_elements(inputs))
        result = self._engine.make((node, name), "object" if name == "copy" else "container", given)
        result.made_by = site.made_by if name == "copy" else ""
        return join(given, frozenset((result,)))

    def _call_variable(self, site: Site, name: str, arguments: list[Value], node: ast.AST) -> Value:
        """A context variable: what is set is there for the next event in the same thread, unless it is taken back."""
        engine = self._engine
        if name != "get":
            engine.change(frozenset((site,)), node, describe(node), join(*arguments))
            engine.put(site, join(*arguments))
            return PLAIN
        value = engine.attributes.read_variable(site)
        if value is None:
            engine.note(f"reads {site.label or describe(node)} of another event", node, of=())
        return join(value or NOTHING, site.items, *arguments)

    def _call_plain_method(self, receiver: Immutable, name: str, given: Value, node: ast.AST) -> Value:
        if not library.is_plain_method(name):
            return PLAIN  # an error
        if receiver in (KEY, INDEX) and library.is_telling(name):
            refuse_kinds(self._engine, frozenset((receiver,)), node)
        self.use(given, name, node)
        if name in library.CHANGING_METHODS:
            self._engine.change(given, node, describe(node))
        if name in library.LOOKING_UP_METHODS:
            self._objects.implicit.look_up(given, node)
        if name in library.TEXT_FILLING:
            self._objects.implicit.use_attributes(given, node)  # a place may name an attribute
            self._objects.operate([given], node, TEXTS)
        self.call_functions(given, PLAIN, node)
        if name in library.ITERATING_METHODS:
            items: Value = frozenset((MATCH,)) if receiver == PATTERN else PLAIN
            return frozenset((self._engine.make(node, "iterator", items),))
        if name in library.LISTING_METHODS:
            return self._list_texts(node) if library.lists_texts(receiver, name) else self._list_plain(receiver, node)
        if name == "scanner":  # of a pattern: it goes on where it was
            return frozenset((self._engine.make(node, "object", PLAIN),))
        if (known := library.find_result(receiver, name)) is not None:
            return frozenset((known,))
        return frozenset((TEXT,)) if library.is_text_method(name) else PLAIN

    def _list_plain(self, receiver: Immutable, node: ast.AST) -> Value:
        items: Value = frozenset((TEXT,)) if receiver in (TEXT, MATCH) else PLAIN  # `partition`, `groupdict`
        return frozenset((self._engine.make(node, "container", items),))

    def _list_texts(self, node: ast.AST) -> Value:
        """Texts, or tuples of them."""
        row = self._engine.make((node, "groups"), "container", frozenset((TEXT,)))
        is_found = isinstance(node, ast.Call) and "findall" in describe(node.func)
        items: Value = frozenset((TEXT, row)) if is_found else frozenset((TEXT,))
        return frozenset((self._engine.make(node, "container", items),))

    def _register(self, site: Site, name: str, arguments: list[Value], node: ast.AST) -> Value:
        """`@show.register`, `@show.register(int)`: another function that a call may reach."""
        functions = frozenset(a for value in arguments for a in value if isinstance(a, FunctionValue | Wrapped))
        if name == "dispatch":
            return frozenset(site.fields.get("functions", ()))
        if name != "register":
            return PLAIN
        self._engine.change(frozenset((site,)), node, describe(node), functions)
        self._engine.put(site, functions, "functions")
        return functions or frozenset((Method(site, "register"),))

    def submit(self, arguments: list[Value], named: Named, rest: Value, name: str, node: ast.AST) -> Value:
        """A pool calls the first of these with the others, at any time from now on."""
        self._engine.escape(join(*arguments, rest))
        others = arguments[1:]
        if name == "run_in_executor":
            arguments, others = arguments[1:], arguments[2:]
        if name == "map":
            others = [self._objects.iterate(value, node) or PLAIN for value in others]
        with self._engine.attributes.elsewhere():
            calls = [self.call(a, others, named, rest, node) for a in (arguments[0] if arguments else rest)]
        inputs = join(*calls) or PLAIN
        kind = "iterator" if name == "map" else "object"
        return join(inputs, frozenset((self._engine.make((node, name), kind, inputs),)))

    def _call_class(
        self, cls: ClassScope, name: str, arguments: list[Value], named: Named, rest: Value, node: ast.AST
    ) -> Value:
        if name in ("__new__", "_make", "model_validate", "model_validate_json", "model_construct"):
            inputs = join(*arguments, *named.values(), rest) - frozenset((cls,))
            site = self._engine.make((node, cls), "instance", join(inputs, PLAIN), cls=cls)
            return frozenset((site,))
        if name in ("mro", "__subclasses__"):
            kinds = cls.lineage() if name == "mro" else self._objects.list_subclasses(cls)
            if not all(kind.lasting for kind in kinds):
                self._engine.note(f"lists classes that events make, by {cls.node.name}.{name}", node, of=())
            return frozenset((self._engine.make((node, name), "container", frozenset(kinds)),))
        return self.call_unknown(f"{cls.node.name}.{name}", arguments, named, rest, node)

    def _call_path(
        self,
        site: Site,
        name: str,
        given: Value,
        text: str,
        arguments: list[Value],
        named: Named,
        rest: Value,
        node: ast.AST,
    ) -> Value:
        self._engine.is_steady = False
        is_own = is_temporary(frozenset((site,)))
        if name == "open" and (is_own or reads_only(node, arguments, rest)):
            return frozenset((self._engine.make(node, "object", PLAIN),))
        if name == "joinpath" and says_all(node, arguments, rest):
            return join_path(self._engine, [frozenset((site,)), *arguments], [node, *node.args], node)
        if (beside := find_beside(self._engine, site, name, node)) is not None:
            return beside
        if name not in library.PATH_METHODS and not (is_own and name in library.PATH_WRITING):
            return self.call_unknown(text, arguments, named, rest, node, site)
        return PLAIN

    def _call_container(
        self, site: Site, name: str, arguments: list[Value], named: Named, rest: Value, text: str, node: ast.AST
    ) -> Value:
        engine = self._engine
        inputs = join(*arguments, *named.values(), rest)
        if site.made_by == "collections.ChainMap" and name == "new_child":
            return self._make_child(site, join(*arguments, rest), join(*named.values()), node)
        # Lists, sets and dicts ask what they are given for what Python calls by itself, and for `keys()`.
        is_builtin = library.is_container_method(name) and (
            site.kind == "container" or (site.cls is not None and library.is_collection(site.cls.list_outside()))
        )
        self.use(inputs, f"builtins.{name}" if is_builtin else text, node)
        if name == "__getitem__":
            self._objects.implicit.look_up(frozenset((site,)), node)
        if site.kind == "container" and name in ("hex", "tobytes"):
            return PLAIN
        if site.kind == "data" and not site.cls and library.is_text_only(name):
            default = join(*arguments[1:2], named.get("default", NOTHING), rest)
            return join(self._call_plain_method(IMMUTABLE, name, inputs, node), self._find_parts(site, name, default))
        parts = self._objects.get_elements(frozenset((site,)))
        if site.kind != "container" or name == "sort":
            outcome = self.call_functions(join(inputs, _list_functions(site)), join(parts, PLAIN), node)
        elif library.is_container_method(name) and site.made_by not in library.NAMESPACES:
            outcome = NOTHING  # these call nothing of what they are given
        else:  # what stands there as an attribute
            outcome = join(*(self.call(a, arguments, named, rest, node) for a in parts if _may_be_code(a)))
        if name == "send" and site.kind == "iterator" and any(is_lasting(a) for a in reach(inputs)):
            engine.note(f"hands what it keeps to {text}", node, handed=inputs)
        site.is_filled = site.is_filled or not engine.handling
        site.is_viewed = site.is_viewed or (not engine.handling and name in library.DICT_VIEWS)
        if engine.outlives(site):
            is_tuple = site.positions is not None  # none of its methods changes it
            if not is_tuple and (name not in library.READING_METHODS or site.kind == "iterator"):
                engine.change(frozenset((site,)), node, text.rpartition(".")[0] or text, inputs)
            inner = self._make_inner((node, name), join(parts, inputs))
        else:
            functions = frozenset(a for a in inputs if is_function(a)) if site.kind == "object" else NOTHING
            kept = self._put_in(site, name, arguments, named, rest, functions, outcome, node)
            inputs = inputs - functions
            inner = self._make_inner((node, name), join(parts, kept))
        if site.kind == "object":
            self._hand_over(site, name, inputs, text, node)
            inner = join(inner, frozenset((site,)))
            if (result := self._find_result(site, name, inputs, node)) is not None:
                return result
        if site.kind == "container" and name in (*library.TAKING_METHODS, *library.DICT_VIEWS, "copy"):
            return self._take_out(site, name, arguments, join(*named.values(), rest), parts, node)
        if name in library.SILENT_METHODS and site.kind == "container" and site.made_by not in library.NAMESPACES:
            return PLAIN
        copied = engine.make((node, name, "copy"), "container", join(parts, inner))
        copied.made_by = site.made_by if site.made_by in library.NAMESPACES else ""
        if site.views:
            inner = join(inner, frozenset((site,)))
        return join(parts, inputs, outcome, PLAIN, inner, frozenset((copied,)))

    def _make_child(self, site: Site, first: Value, named: Value, node: ast.AST) -> Value:
        """A ChainMap with another dict before those of this one."""
        maps = join(*(a.items for a in site.fields.get("maps", ())))
        new = self._engine.make((node, "new"), "container", named)
        return self._special.call_chain_map([join(first, frozenset((new,))), maps], {}, NOTHING, node)

    def _find_result(self, site: Site, name: str, inputs: Value, node: ast.AST) -> Value | None:
        """What a method of an object of the library gives, where that is nothing of the object itself."""
        if site.made_by in library.PLAIN_GIVERS and name in library.PLAIN_GIVING:
            return PLAIN
        if site.made_by == "difflib.SequenceMatcher" and name in library.BLOCK_GIVING:
            row = self._engine.make((node, "block"), "container", frozenset((TEXT, WHOLE)))
            return frozenset((self._engine.make((node, name), "container", frozenset((row,))),))
        if site.made_by == "random.Random" and name in library.CHOOSING_METHODS:
            chosen = self._list_elements(inputs, node)
            return join(chosen, frozenset((self._engine.make((node, name), "container", chosen),)))
        return None

    def _put_in(
        self,
        site: Site,
        name: str,
        arguments: list[Value],
        named: Named,
        rest: Value,
        functions: Value,
        outcome: Value,
        node: ast.AST,
    ) -> Value:
        """What a method may put into an object of this event, which is put there."""
        engine = self._engine
        inputs = join(*arguments, *named.values(), rest)
        if name not in library.READING_METHODS | library.VIEWING_METHODS:
            viewed = frozenset(engine.list_viewed(frozenset((site,)))) - frozenset((site,))
            engine.change(viewed, node, describe(getattr(node, "func", node)), inputs)
        contents = inputs - (named.get("key", NOTHING) if name in ("sort", "reverse") else NOTHING)
        if name in library.EXTENDING_METHODS and site.kind == "container":
            contents = self._list_elements(contents, node)
        elif name not in library.ADDING_METHODS:
            contents = join(contents, self._objects.get_elements(frozenset(a for a in contents if isinstance(a, Site))))
        if name == "setdefault" and site.kind == "container":
            engine.put(site, join(*arguments[:1]) - PLAIN, KEYS)
            contents = join(*arguments[1:], *named.values(), rest)
        if site.kind == "object":  # what it may call is nothing that it gives
            engine.put(site, functions, "functions")
            contents = PLAIN if site.made_by in library.HOLDING_TEXT else contents - functions
        if name == "setdefault" and site.made_by == DICT:
            engine.put_value(site, contents)
        elif site.kind != "container" or name not in library.READING_METHODS | library.REMOVING_METHODS:
            engine.put(site, join(contents, outcome))
        return contents

    def _hand_over(self, site: Site, name: str, given: Value, text: str, node: ast.AST) -> None:
        """An object of the library is given these: what it does with what lasts is not known."""
        refuse_kinds(self._engine, given, node)
        if name in library.PARSING:
            self._refuse_owners(given, text, node)
        for atom in self._engine.list_viewed(given):
            if (
                isinstance(atom, Outside)
                and standard_objects.is_data(atom.name)
                and name not in library.KEEPING_METHODS
            ):
                self._engine.note(f"hands {atom.name} to {text}", node, handed=frozenset((atom,)))
            if not isinstance(atom, Site) or atom.made_by in library.HARMLESS_OBJECTS:
                continue
            if atom.lasting and name not in library.KEEPING_METHODS:
                what = atom.label or "what it keeps"
                self._engine.note(f"hands {what} to {text}", node, handed=frozenset((atom,)))

    def _take_out(
        self, site: Site, name: str, arguments: list[Value], more: Value, parts: Value, node: ast.AST
    ) -> Value:
        """What stands in a container, by a method that says what of it: `parts` are its keys, too."""
        engine = self._engine
        if name == "copy":
            return self._special.call_copy([frozenset((site,))], {}, NOTHING, node)
        if name in library.DICT_VIEWS:
            view = self._make_dict_view(site, name, parts, node)
            engine.trace.shown.setdefault(view, []).append(site)
            return frozenset((view,))
        if site.made_by != DICT and name == "pop":
            refuse_kinds(engine, join(*arguments, more), node)
        return join(site.items, *arguments[1:], more, PLAIN)  # the first is a key or a place

    def _make_dict_view(self, site: Site, name: str, parts: Value, node: ast.AST) -> Site:
        """What `keys()`, `values()` or `items()` gives: `parts` are the keys, too."""
        engine, listed = self._engine, self._objects.list_iterated(site)
        if name == "keys":
            known = listed if site.made_by == DICT and not site.is_mixed else join(parts, PLAIN)
            return engine.make((node, name), "container", known)
        places = [join(listed, PLAIN), join(site.items, PLAIN)]
        rows = frozenset((engine.make_tuple((node, name, "row"), places),)) if name == "items" else places[1]
        return engine.make((node, name, "rows"), "container", rows)

    def _find_parts(self, site: Site, name: str, default: Value) -> Value:
        """`find` and the like of an element of XML, which gives its parts."""
        if name not in library.FINDING_METHODS:
            return NOTHING
        parts = join(self._objects.get_elements(frozenset((site,))), default if name == "findtext" else NOTHING)
        return join(parts, frozenset((self._engine.make((site, name), "container", parts),)))

    def _make_inner(self, place: object, parts: Value) -> Value:
        """Pairs, groups, pairs of groups: a new layer around parts, however deep."""
        inner = self._engine.make((place, "part"), "container", parts)
        self._engine.put(inner, frozenset((inner,)))
        return frozenset((inner,))

    def call_functions(self, given: Value, parts: Value, node: ast.AST) -> Value:
        """The library calls what it is given: with what else it is given, and what stands in there."""
        functions = [a for a in given if _may_be_code(a)]
        if not functions:
            return NOTHING
        others = given.difference(functions)
        possible = join(parts, reach(others), PLAIN)
        self._engine.spend(len(possible) * len(functions))
        outcome = NOTHING
        self._depth += 1
        for function in functions:
            if self._depth > 1:
                outcome = join(outcome, self._call_again(function, possible, node))
            else:
                outcome = join(outcome, self._engine.call_any(function, possible, node))
        self._depth -= 1
        self._engine.see(reach(outcome))  # a key is compared, a truth asked for
        if own := frozenset(a for a in reach(outcome) if isinstance(a, Site) and a.kind == "instance"):
            self._objects.operate([own], node, COMPARING)
        return outcome

    def _call_again(self, function: Atom, possible: Value, node: ast.AST) -> Value:
        """The library calls it from within a call of the library: with all that it was called with there, once a round.
        There would be no end of the sets that it may be called with.
        """
        engine, attributes = self._engine, self._engine.attributes
        key = (function, engine.handling, engine.lasting, attributes.set_now)
        known = self._again.setdefault(key, _CallAgain())
        if known.round != engine.round:
            known.round, known.possible = engine.round, NOTHING
        if not possible <= known.possible:
            known.possible = join(known.possible, possible)
            steady, engine.is_steady = engine.is_steady, True
            set_before = attributes.set_now
            result = join(known.result, engine.call_any(function, known.possible, node))
            engine.changes += result != known.result
            known.result = result
            known.is_steady = known.is_steady and engine.is_steady
            known.is_forgetful = known.is_forgetful or attributes.set_now != set_before
            engine.is_steady = steady
        engine.is_steady = engine.is_steady and known.is_steady
        if known.is_forgetful:
            attributes.forget()
        return known.result

    def use(self, given: Value, what: str, node: ast.AST) -> None:
        """The library reads these."""
        own, reached = NOTHING, reach(given)
        self._engine.see(reached)
        self._engine.spend(len(reached))
        self._engine.see_whole(reached)
        for atom in reach(given, of_functions=False):
            if isinstance(atom, Site) and atom.kind == "iterator" and atom.lasting:
                self._engine.note(f"uses up {atom.label or what}", node, is_change=True, of=[atom])
            if (isinstance(atom, Site) and atom.kind in _OWN_CODE) or (
                isinstance(atom, ClassScope) and not what.startswith(("builtins.", "typing.", "dataclasses."))
            ):
                own = join(own, frozenset((atom,)))
        is_builtin = what.startswith("builtins.") and what != "builtins.print"
        asked = ASKED_BY.get(what, (*READING, "keys")) if is_builtin else None
        self._objects.operate([own], node, asked)
        if not is_builtin:
            self._objects.implicit.use(own, node)
        elif what in ("builtins.hasattr", "builtins.isinstance"):  # a protocol is asked by its attributes
            self._objects.implicit.use_attributes(given, node)

    # The library

    def _call_outside(self, name: str, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        self._engine.trace.use_library(name, self._engine.handling or node is not self._engine.dropped)
        if (special := self._special.find(name)) is not None:
            return special(arguments, named, rest, node)
        if name.startswith("graphbus."):
            return self._call_runtime(name.removeprefix("graphbus."), arguments, named, rest, node)
        if name.startswith("graphbus_core.") and name.rpartition(".")[2] in library.GRAPHBUS_DECORATORS:
            return frozenset((Outside("builtins.identity"),))
        if name == "builtins.identity":
            return join(*arguments)
        if name == "functools.lru_cache" and any(is_function(a) for value in arguments for a in value):
            name = "functools.cache"
        if name == "functools.cache":
            return frozenset(Wrapped("cached", a) for v in arguments for a in v)
        if name in library.DECORATOR_FACTORIES or name == "functools.lru_cache":
            is_cache = name == "functools.lru_cache"
            return frozenset((Outside("functools.cache" if is_cache else "builtins.identity"),))
        if name in library.IDENTITY_DECORATORS:
            return join(*arguments)
        if name == "builtins.staticmethod" and len(arguments) == 1 and not (named or rest):
            return frozenset(Wrapped("static", a) for a in arguments[0])
        if name == "operator.getitem":
            self._objects.implicit.look_up(join(*arguments[:1], rest), node)
        if name in library.SETTING_FOR_ALL:
            self._engine.memos.check_entered(name, node)
        return self.call_library(name, arguments, named, rest, node)

    def call_library(self, name: str, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        """A call of the library by its name, as `library` knows it."""
        engine = self._engine
        words = name.split(".")
        if len(words) == 3 and words[0] == "builtins" and words[1] in library.BUILTIN_TYPES:
            return self._call_through_type(words[1], words[2], arguments, named, rest, node)
        if name in library.PATHS or name in ("pathlib.Path.cwd", "pathlib.Path.home"):
            return self._special.make_path(arguments, node)
        if words[0] == "operator" and len(words) == 2 and words[1] in library.OPERATORS and len(arguments) == 2:
            return self._special.call_operator(words[1], arguments, node)
        effect = library.find_effect(name)
        if words[-1] in library.READING_METHODS and standard_objects.is_table(name.rpartition(".")[0]):
            effect = library.Effect("plain", steady=name != "os.environ.get")
        if effect is None and "." not in name and is_standard(name):
            return PLAIN  # a module: an error
        if effect is None:
            return self.call_unknown(name.removeprefix("builtins."), arguments, named, rest, node, Outside(name))
        if not effect.steady:
            self._engine.is_steady = False
        inputs = join(*arguments, *named.values(), rest)
        self.use(inputs, name, node)
        refuse_flags(engine, inputs, node)
        if effect.wary:
            self._refuse_lasting(inputs, name, node)
        if name in ("builtins.isinstance", "builtins.issubclass"):
            self._objects.implicit.check_hook(join(*arguments[1:], rest), node)
        check_call(engine, name, arguments, inputs, node)
        if effect.changes is not None:
            is_placed = effect.changes < len(arguments)
            changed = arguments[effect.changes] if is_placed else join(*named.values(), rest)
            self._change_argument(changed, inputs - changed, node)
        if name in library.ROUNDING and len(arguments) == 1 and not (named or rest) and is_plain(inputs):
            return frozenset((WHOLE,))  # of 1, 1.0 and True they make the same
        result = self.give(effect, name, inputs, node)
        if name in library.GIVING_NOTHING:
            return PLAIN
        if name in library.GIVING_ONE and arguments and not rest:
            alone = len(arguments) == 1 or name.startswith("heapq.")
            first = self._list_elements(arguments[0], node) if alone else arguments[0]
            return join(first, *arguments[1:], named.get("default", NOTHING)) or PLAIN
        return result

    def _change_argument(self, changed: Value, others: Value, node: ast.AST) -> None:
        """The library changes this, and may put the others in."""
        sites = [a for a in changed if isinstance(a, Site)]
        objects = [a for a in sites if a.kind == "object"]
        self._engine.change(join(changed, *(a.items for a in objects)), node, describe(node), others)
        for site in sites:
            self._engine.put(site, others)

    def _refuse_lasting(self, given: Value, name: str, node: ast.AST) -> None:
        """What it does with what it is given is not known: all of that must be of this event."""
        for atom in reach(given):
            is_other = isinstance(atom, Outside) and standard_objects.is_data(atom.name)
            if is_other or (isinstance(atom, Site) and atom.lasting and atom.kind not in ("log", "path")):
                what = getattr(atom, "label", "") or "what it keeps"
                self._engine.note(f"hands {what} to {name}", node, handed=frozenset((atom,)))

    def _refuse_owners(self, given: Value, name: str, node: ast.AST) -> None:
        """It sets attributes of what it is given: of a module or a class, another event reads them."""
        for atom in given:
            if isinstance(atom, ModuleScope) or (isinstance(atom, ClassScope) and atom.lasting):
                what = atom.node.name if isinstance(atom, ClassScope) else atom.name
                self._engine.note(f"hands {what} to {name}", node, handed=frozenset((atom,)))

    def give(self, effect: library.Effect, name: str, given: Value, node: ast.AST) -> Value:
        """What a call of the library gives that was given these."""
        result = self._give(effect, name, given, node)
        is_held_alone = name in library.HANDING_ON and all(
            isinstance(a, Immutable) or getattr(a, "kind", "") in ("container", "iterator") for a in given
        )
        for atom in result:
            if isinstance(atom, Site) and atom.kind == "iterator":
                self._engine.trace.derive_iterator(atom, given, is_held_alone=is_held_alone)
        return result

    def _give(self, effect: library.Effect, name: str, given: Value, node: ast.AST) -> Value:
        engine = self._engine
        data = frozenset(a for a in given if not is_function(a))
        elements = self._list_elements(data, node)
        outcome = NOTHING if name in library.CALLING_NOTHING else self.call_functions(given, elements, node)
        if effect.gives == "plain":
            if any(map(_is_zone, given)):
                return engine.make_unknown((node, name), f"what {name} gives")  # it asks its zone for the time
            kinds = library.RESULT_KINDS.get(name, PLAIN)
            return join(kinds, reach(given) & _ASKED) if kinds == PLAIN else kinds
        if effect.gives == "data":
            return frozenset((engine.make((node, name), "data", PLAIN),))
        if name in ("re.split", "re.findall"):
            return self._list_texts(node)
        if effect.gives == "object":
            return self._make_object(name, given, data, node)
        if name in library.COPYING:
            elements = join(*(self._objects.list_iterated(a) for a in data)) if not self._has_own(data) else elements
            site = engine.make((node, name), library.COPYING[name], (elements or PLAIN) if given else NOTHING)
            site.made_by = {"builtins.list": LIST, "builtins.tuple": TUPLE}.get(name, "")
            return frozenset((site,))
        if name == "builtins.sum" and (total := self._add_up(data, elements)):
            return total
        if name in library.SELECTING:
            outcome = NOTHING  # it tells which; what it gives is not among what is given back
        whole = data if name in library.GIVING_WHOLE else NOTHING
        if name != "itertools.repeat":  # the others use up an iterator
            whole = frozenset(a for a in whole if not isinstance(a, Site) or a.kind != "iterator")
        parts = join(reach(elements) if elements else NOTHING, outcome, whole, PLAIN)
        inner = self._make_inner((node, name), parts)
        kind = "iterator" if effect.gives == "iterator" else "container"
        site = engine.make((node, name), kind, parts if effect.gives == "copy" else join(parts, inner))
        if library.is_exception(name):  # an error holds what it was given
            engine.put(site, data)
        elif kind == "iterator" and not name.startswith(("builtins.", "itertools.")):  # `fieldnames` of a reader
            engine.put(site, data, "held")
        site.made_by = name if name in library.NAMESPACES else ""
        if name in ("collections.defaultdict",):
            site.is_default = True
            engine.put(site, frozenset(a for a in given if is_function(a) or isinstance(a, Outside)), "factory")
        if effect.gives == "parts":
            return join(parts, given, inner, frozenset((site,)))
        return frozenset((site,))

    def _make_object(self, name: str, given: Value, data: Value, node: ast.AST) -> Value:
        """A thing of its own, which holds what it is made of, but copies a context and reads no file that it writes."""
        engine, is_context = self._engine, name == LOCAL
        for atom in reach(data):
            is_copied = is_context and isinstance(atom, Site) and atom.made_by == "decimal.Context"
            is_own = name in library.ONLY_WRITING and engine.attributes.is_renewed(atom)
            is_code = isinstance(atom, Site) and atom.lasting and atom.kind in (*_OWN_CODE, "iterator")
            if is_code and not is_copied and not is_own:
                what = getattr(atom, "label", "") or "what it keeps"
                engine.note(f"hands {what} to {name}", node, handed=frozenset((atom,)))
        parts = PLAIN if name in library.HOLDING_TEXT or is_context else data
        site = engine.make((node, name), "object", parts, label=f"what {name} gives")
        if is_context:
            mark_flags(site, data)
        site.made_by = name
        engine.put(site, frozenset(a for a in given if is_function(a)), "functions")
        return frozenset((site,))

    def _add_up(self, data: Value, elements: Value) -> Value:
        """What a sum of numbers is; nothing where it may be of something else."""
        numbers = frozenset(a for a in data if isinstance(a, Immutable))
        sites = self._objects.get_elements(data - numbers)
        if sites and join(sites, numbers) <= {WHOLE, FLAG, INDEX}:
            return frozenset((WHOLE,))
        return join(elements, numbers, PLAIN) if is_plain(elements) else NOTHING

    @staticmethod
    def _has_own(data: Value) -> bool:
        return any(isinstance(a, Site) and a.kind == "instance" for a in data)

    def _list_elements(self, data: Value, node: ast.AST) -> Value:
        """What comes out of these, also where code of the project gives it."""
        own = frozenset(a for a in data if isinstance(a, Site) and a.kind == "instance")
        return join(self._objects.get_elements(data), *(self._objects.iterate(own, node),) if own else ())

    def _call_through_type(
        self, kind: str, name: str, arguments: list[Value], named: Named, rest: Value, node: ast.AST
    ) -> Value:
        """`dict.fromkeys(…)`, `list.append(rows, …)`, `map(str.upper, …)`."""
        inputs = join(*arguments, *named.values(), rest)
        if (kind, name) == ("dict", "fromkeys") and 1 <= len(arguments) <= 2 and not (named or rest):
            self.use(arguments[0], "builtins.dict", node)
            return self._special.make_from_keys(arguments, node)
        if name in ("fromkeys", "maketrans", "fromhex", "from_bytes"):
            self.use(inputs, f"builtins.{kind}", node)
            return frozenset((self._engine.make(node, "container", join(inputs, self._objects.get_elements(inputs))),))
        receivers = arguments[0] if arguments else rest or PLAIN
        calls = [self._call_method(Method(a, name), arguments[1:], named, rest, node) for a in receivers]
        return join(*calls) or PLAIN

    def _call_runtime(self, name: str, arguments: list[Value], named: Named, rest: Value, node: ast.AST) -> Value:
        engine = self._engine
        engine.is_steady = False
        inputs = join(*arguments, *named.values(), rest)
        engine.see(reach(inputs))
        engine.attributes.give_out(reach(inputs))
        engine.see_whole(reach(inputs))
        engine.attributes.forget()
        head, _, last = name.partition(".")
        if head == "memory":
            engine.note("uses self.memory", node, is_memory=True, is_change=True, of=())
            return PLAIN
        if name in PUBLISHING or (head == "bus" and last in PUBLISHING):
            return frozenset((engine.make(node, "data", PLAIN),))
        if name in ("call", "acall") or head in ("nodes", "anodes"):
            for atom in reach(inputs):
                if isinstance(atom, Site) and atom.lasting and atom.kind not in ("path", "log"):
                    what = atom.label or "what it keeps"
                    engine.note(f"hands {what} to another node", node, handed=inputs)
                    break
            result = engine.make(node, "data", PLAIN, label="what another node gave")
            result.lasting = True
            return frozenset((result,))
        if not engine.handling:
            engine.escape(inputs)
        return self.call_unknown(f"self.{name}", arguments, named, rest, node)


_ASKED: Value = frozenset((KEY, INDEX))
_OWN_CODE = ("instance", "object")


def _list_functions(site: Site) -> Value:
    """What an object of the library was given to call."""
    return frozenset(site.fields.get("functions", ())) if site.kind == "object" else NOTHING


def _is_zone(atom: Atom) -> bool:
    return isinstance(atom, Site) and atom.cls is not None and "datetime.tzinfo" in atom.cls.list_outside()


def _is_own_file(place: Value) -> bool:
    """Whether that is a file in memory, or in a temporary folder."""
    if is_temporary(place):
        return True
    return bool(place) and all(isinstance(a, Site) and a.kind == "object" and not a.lasting for a in place)


def _may_have(cls: ClassScope, name: str) -> bool:
    """Whether an object of it may have a method that no class of the project defines."""
    if cls.find("__getattr__") is not None or hasattr(object, name):
        return True
    return any(standard_objects.may_have(base, name) for base in cls.list_outside())


def _may_be_code(atom: Atom) -> bool:
    return is_function(atom) or isinstance(atom, Method) or _is_callable(atom)


def _is_callable(atom: Atom) -> bool:
    """A function of the library, as it is handed to another one."""
    if not isinstance(atom, Outside) or not standard_objects.may_be_called(atom.name):
        return False
    return not atom.name.startswith(("typing.", "graphbus_core.")) and not library.is_exception(atom.name)
